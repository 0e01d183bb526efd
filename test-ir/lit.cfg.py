# The tests of the plugin on LLVM IR and C. Run by scripts/test.sh, or by hand:
#     $(llvm-config-22 --bindir)/lit -v test-ir/scop
#
# %opt, %clang, %flang, %lld, %FileCheck   the tools of LLVM 22, without the plugin
# %plugin                            libloopwright.so
# %loopwright-opt, %loopwright-clang the tools with the plugin loaded
# %execute                           the driver of the executed tests (see run/Inputs)
# %aarch64                           its options for AArch64 programs, run by qemu
# %both                              builds and runs a program with and without the plugin (see hosts/Inputs)
# %inner-loops                       lists the inner loops of micro-kernels in assembly (see asm/Inputs)

import json
import os
import platform
import shutil
import subprocess

import lit.formats

root = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def output(*command):
    return subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True, cwd=root).stdout.strip()


def plugin():
    """LOOPWRIGHT_PLUGIN, or what `cargo build --release -p pass` makes."""
    if os.environ.get("LOOPWRIGHT_PLUGIN"):
        return os.path.abspath(os.environ["LOOPWRIGHT_PLUGIN"])
    metadata = json.loads(output("cargo", "metadata", "--no-deps", "--offline", "--format-version=1"))
    return os.path.join(metadata["target_directory"], "release", "libloopwright.so")


config.name = "loopwright"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".ll", ".c", ".f90", ".rs", ".test"]
config.excludes = ["Inputs"]
config.test_source_root = os.path.dirname(os.path.abspath(__file__))
config.test_exec_root = os.path.join(root, "build", "test-ir")

llvm_config = shutil.which("llvm-config-22")
if not llvm_config:
    lit_config.fatal("llvm-config-22 is not there: run scripts/setup.sh")
bindir = output(llvm_config, "--bindir")
libloopwright = plugin()
if not os.path.exists(libloopwright):
    lit_config.fatal(f"{libloopwright} is not there: run cargo build --release -p pass")


def tool(name):
    return os.path.join(bindir, name)


execute = "python3 {} --clang={} --plugin={} --out=%t".format(
    os.path.join(config.test_source_root, "run", "Inputs", "execute.py"), tool("clang"), libloopwright
)
seeds = lit_config.params.get("seeds")
config.substitutions += [
    ("%loopwright-opt", f"{tool('opt')} -load-pass-plugin={libloopwright}"),
    ("%loopwright-clang", f"{tool('clang')} -fpass-plugin={libloopwright}"),
    ("%opt", tool("opt")),
    ("%clang", tool("clang")),
    ("%flang", tool("flang")),
    ("%lld", tool("ld.lld")),
    ("%FileCheck", tool("FileCheck")),
    ("%plugin", libloopwright),
    ("%aarch64", "--target=aarch64-linux-gnu --emulator=qemu-aarch64"),
    ("%inner-loops", "python3 " + os.path.join(config.test_source_root, "asm", "Inputs", "inner_loops.py")),
    ("%both", f"python3 {config.test_source_root}/hosts/Inputs/both.py --clang={tool('clang')} --plugin={libloopwright} --out=%t"),
    ("%execute", execute + (f" --seeds={seeds}" if seeds else "")),
]
config.environment["PATH"] = os.pathsep.join([bindir, os.environ["PATH"]])
for name in list(os.environ):
    if name.startswith("LOOPWRIGHT"):
        config.environment.pop(name, None)

for name in ("flang", "lld"):
    if os.path.exists(tool(name)):
        config.available_features.add(name)
if shutil.which("ccache"):
    config.available_features.add("ccache")
linked = [tool("clang"), "-fsanitize=address", "-x", "c", "-", "-o", os.devnull]
if not subprocess.run(linked, input="int main(void) { return 0; }", text=True, stderr=subprocess.DEVNULL).returncode:
    config.available_features.add("compiler-rt")
linked = [tool("clang"), "-x", "c", "-", "-lmvec", "-lm", "-o", os.devnull]
if not subprocess.run(linked, input="int main(void) { return 0; }", text=True, stderr=subprocess.DEVNULL).returncode:
    config.available_features.add("libmvec")
if "LLVM version: 22" in output("rustc", "--version", "--verbose"):
    config.available_features.add("rustc")
for name in ("HOME", "RUSTUP_HOME", "CARGO_HOME", "RUSTUP_TOOLCHAIN"):
    if name in os.environ:
        config.environment[name] = os.environ[name]
machine = platform.machine().lower()
config.available_features.add({"amd64": "x86_64", "arm64": "aarch64"}.get(machine, machine))
if shutil.which("qemu-aarch64") and shutil.which("aarch64-linux-gnu-gcc"):  # which comes with the C library
    config.available_features.add("qemu-aarch64")


def processor_flags():
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as file:
            return next((set(line.split()) for line in file if line.startswith("flags")), set())
    except OSError:
        return set()


levels = {"x86-64-v2": {"sse4_2", "ssse3", "popcnt"}, "x86-64-v3": {"avx2", "fma", "bmi2", "f16c", "movbe"}}
config.available_features |= {level for level, flags in levels.items() if flags <= processor_flags()}
