//! The entry point that LLVM's hosts look for, and the way from there to [`crate::driver`].

use super::{Analyses, ffi};
use crate::driver;
use crate::options;
use std::ffi::{CString, c_char, c_void};
use std::sync::Once;

/// `PassPluginLibraryInfo`, API version 2.
#[repr(C)]
pub struct PluginInfo {
    api_version: u32,
    name: *const c_char,
    version: *const c_char,
    register: Option<extern "C" fn(*mut c_void)>,
    pre_code_gen: Option<extern "C" fn()>,
}

/// What `opt`, `clang`, `flang`, `rustc` and `lld` call after loading the library.
#[unsafe(no_mangle)]
pub extern "C" fn llvmGetPassPluginInfo() -> PluginInfo {
    define_options();
    PluginInfo {
        api_version: 2,
        name: c"loopwright".as_ptr(),
        version: concat!(env!("CARGO_PKG_VERSION"), "\0").as_ptr().cast(),
        register: Some(register),
        pre_code_gen: None,
    }
}

/// Option names and help live as long as the process: LLVM keeps pointers to them.
fn define_options() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        // A panic becomes a remark (see the driver); the user's terminal is not the place for it. This library has its own copy of the standard library, so that the
        // host's hook, if it is Rust too, stays.
        std::panic::set_hook(Box::new(|_| {}));
        for option in options::TABLE {
            let name = CString::new(format!("loopwright-{}", option.name)).unwrap_or_default();
            let help = CString::new(option.help).unwrap_or_default();
            unsafe { ffi::lw_define_option(name.into_raw(), help.into_raw()) };
        }
    });
}

/// Values given as `-loopwright-NAME[=VALUE]`, by place in the table.
pub(crate) fn command_line_value(index: usize) -> Option<String> {
    let raw = unsafe { ffi::lw_option_value(index) };
    (!raw.is_null()).then(|| unsafe { std::ffi::CStr::from_ptr(raw) }.to_string_lossy().into_owned())
}

/// Prints to LLVM's error stream, where printing passes print.
pub(crate) fn print(text: &str) {
    unsafe { ffi::lw_print(text.as_ptr().cast(), text.len()) }
}

extern "C" fn register(builder: *mut c_void) {
    let table = ffi::Callbacks { run, accepts };
    unsafe { ffi::lw_register(builder, &raw const table) }
}

unsafe fn text<'a>(raw: *const c_char, length: usize) -> &'a str {
    if length == 0 {
        return "";
    }
    let bytes = unsafe { std::slice::from_raw_parts(raw.cast::<u8>(), length) };
    std::str::from_utf8(bytes).unwrap_or("")
}

extern "C" fn run(context: *mut c_void, name: *const c_char, length: usize) -> bool {
    driver::run(Analyses(context), unsafe { text(name, length) })
}

extern "C" fn accepts(name: *const c_char, length: usize) -> bool {
    match driver::Request::parse(unsafe { text(name, length) }) {
        None => false,
        Some(Ok(_)) => true,
        Some(Err(complaint)) => {
            print(&format!("loopwright: {complaint}\n"));
            false
        }
    }
}
