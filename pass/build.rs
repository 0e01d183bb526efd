//! Builds the C++ shim against LLVM 22's headers. Nothing is linked: the host that loads the plugin has LLVM's symbols.

use std::process::Command;

fn main() {
    println!("cargo::rerun-if-changed=shim");
    println!("cargo::rerun-if-env-changed=LLVM_CONFIG");
    let config = std::env::var("LLVM_CONFIG").unwrap_or_else(|_| "llvm-config-22".into());
    let ask = |what: &str| -> String {
        match Command::new(&config).arg(what).output() {
            Ok(o) if o.status.success() => String::from_utf8_lossy(&o.stdout).trim().to_owned(),
            _ => {
                panic!("cannot run `{config} {what}`: install llvm-22-dev (scripts/setup.sh does), or set LLVM_CONFIG")
            }
        }
    };
    let version = ask("--version");
    assert!(version.starts_with("22."), "loopwright needs LLVM 22, but {config} is LLVM {version}");
    cc::Build::new()
        .cpp(true)
        .std("c++17")
        .files([
            "shim/shim.cpp",
            "shim/known_phis.cpp",
            "shim/second_exits.cpp",
            "shim/joined_steps.cpp",
            "shim/complex_products.cpp",
        ])
        .flag(format!("-isystem{}", ask("--includedir")))
        .flag("-fno-rtti")
        .flag("-fno-exceptions")
        .flag("-fvisibility=hidden")
        .flag_if_supported("-Wno-unused-parameter")
        .compile("loopwright_shim");
    // Only the entry point is visible; everything else stays inside, so that two plugins cannot clash.
    println!("cargo::rustc-cdylib-link-arg=-Wl,--exclude-libs,ALL");
}
