#!/usr/bin/env python3
"""Large public programs, built with and without the plugin: SQLite, zstd, lz4, libdeflate, libwebp, and the reference BLAS and
LAPACK. Nothing may crash, and the programs must do the same. Prints what was transformed, why the other nests were left
alone, and what the plugin costs (user time of all compilations, interleaved, least of --rounds).

    scripts/big.py --plugin=target/release/libloopwright.so [--small] [PROGRAM...]

The sources are those that crates bundle; cargo fetches them, of the versions and with the checksums of scripts/big/Cargo.lock.
--small takes SQLite and lz4 only, and is skipped when cargo cannot fetch. The exit status is 1 if something fails."""

import argparse
import json
import pathlib
import re
import resource
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent / "big"


def run(command, **more):
    return subprocess.run([str(c) for c in command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace", **more)


def fetch(folder):
    """Folders of the crates, by name; nothing when cargo cannot get them."""
    (folder / "src").mkdir(parents=True)
    (folder / "src" / "lib.rs").touch()
    for name in ("Cargo.toml", "Cargo.lock"):
        shutil.copy(HERE / name, folder)
    done = run(["cargo", "fetch", "--locked"], cwd=folder)
    if done.returncode != 0:
        return {}
    text = subprocess.run(["cargo", "metadata", "--format-version=1", "--locked", "--offline"], cwd=folder, stdout=subprocess.PIPE, text=True, check=True).stdout
    return {p["name"]: pathlib.Path(p["manifest_path"]).parent for p in json.loads(text)["packages"]}


def reached(start, files):
    """Those of the files, in Fortran, whose names turn up in the program, or in one that does."""
    known = {f.stem.upper(): f for f in files}
    found, todo = {}, [start]
    while todo:
        code = "\n".join(line.split("!")[0] for line in todo.pop().read_text(errors="replace").upper().splitlines() if line[:1] not in ("*", "C", "!"))
        for name in set(re.findall(r"[A-Z]\w+", code)) & (known.keys() - found.keys()):
            found[name] = known[name]
            todo.append(known[name])
    return list(found.values())


def programs(crates):
    """For each program: sources, flags, and whether it is of the small ones."""
    zstd = crates["zstd-sys"] / "zstd" / "lib"
    lz4 = crates["lz4-sys"] / "liblz4" / "lib"
    sqlite = crates["libsqlite3-sys"] / "sqlite3"
    deflate = crates["libdeflate-sys"] / "libdeflate"
    webp = crates["libwebp-sys"] / "vendor"
    netlib = crates["netlib-src"] / "source"
    fortran = reached(HERE / "lapack.f90", [*netlib.glob("BLAS/SRC/*.f*"), *netlib.glob("SRC/*.f*"), netlib / "INSTALL" / "dlamch.f"])
    # Modules come first.
    fortran.sort(key=lambda f: (not f.stem.startswith("la_"), f.name))
    return {
        "sqlite": ([sqlite / "sqlite3.c", HERE / "sqlite.c"], [f"-I{sqlite}", "-DSQLITE_THREADSAFE=0", "-DSQLITE_OMIT_LOAD_EXTENSION", "-DSQLITE_ENABLE_FTS5", "-DSQLITE_ENABLE_RTREE"], True),
        "lz4": ([lz4 / "lz4.c", lz4 / "lz4hc.c", HERE / "lz4.c"], [f"-I{lz4}"], True),
        "zstd": ([*zstd.glob("common/*.c"), *zstd.glob("compress/*.c"), *zstd.glob("decompress/*.c"), HERE / "zstd.c"], [f"-I{zstd}", "-DZSTD_DISABLE_ASM"], False),
        "deflate": ([*deflate.glob("lib/*.c"), *deflate.glob("lib/x86/*.c"), HERE / "deflate.c"], [f"-I{deflate}"], False),
        "webp": ([*webp.glob("src/**/*.c"), *webp.glob("sharpyuv/*.c"), HERE / "webp.c"], [f"-I{webp}", "-DWEBP_USE_THREAD=0"], False),
        "lapack": ([*fortran, HERE / "lapack.f90"], [], False),
    }


class Machine:
    def __init__(self, chosen, folder):
        self.chosen, self.folder = chosen, folder
        self.remarks = []

    def build(self, name, sources, flags, plugin):
        """The program, and the user time that its compilation took."""
        objects, taken = [], 0.0
        where = self.folder / name / ("plugin" if plugin else "plain")
        where.mkdir(parents=True, exist_ok=True)
        fortran = any(s.suffix.startswith(".f") for s in sources)
        for n, source in enumerate(sources):
            target = where / f"{n}-{source.stem}.o"
            compiler = [self.chosen.flang, f"-J{where}"] if fortran else [self.chosen.clang, "-w"]
            # Asking for remarks makes the compiler keep track of lines, which takes time of its own: so both do.
            extra = ["-Rpass=loopwright", "-Rpass-missed=loopwright"]
            if plugin:
                extra += [f"-fpass-plugin={self.chosen.plugin}", *(x for o in self.chosen.options.split(",") if o for x in ("-mllvm", f"-loopwright-{o}"))]
            before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
            done = run([*compiler, *flags, *extra, "-c", source, "-o", target])
            taken += resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before
            if done.returncode != 0 or "internal error" in done.stdout:
                raise RuntimeError(f"{source}: exit status {done.returncode}\n{done.stdout[-2000:]}")
            if plugin:
                self.remarks += re.findall(r"([^\s/]+:\d+:\d+): remark: (.*) \[-(Rpass|Rpass-missed)=loopwright\]", done.stdout)
            objects.append(target)
        program = where / "program"
        linker = [self.chosen.flang] if fortran else [self.chosen.clang]
        done = run([*linker, *objects, "-lm", "-o", program])
        if done.returncode != 0:
            raise RuntimeError(done.stdout[-2000:])
        return program, taken


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--plugin", required=True)
    arguments.add_argument("--clang", default="clang-22")
    arguments.add_argument("--flang", default="flang-22")
    arguments.add_argument("--levels", default="-O2,-O3")
    arguments.add_argument("--options", default="", help="of the plugin, as NAME=VALUE,NAME=VALUE")
    arguments.add_argument("--rounds", type=int, default=1)
    arguments.add_argument("--small", action="store_true")
    arguments.add_argument("--list", action="store_true", help="print every nest that was transformed")
    arguments.add_argument("programs", nargs="*")
    chosen = arguments.parse_args()
    failures = 0
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        crates = fetch(folder / "crates") if shutil.which("cargo") else {}
        if not crates:
            print("skipped: cargo cannot fetch the sources")
            sys.exit(0)
        for name, (sources, flags, small) in programs(crates).items():
            if (chosen.programs and name not in chosen.programs) or (chosen.small and not small):
                continue
            if name == "lapack" and not shutil.which(chosen.flang):
                print("lapack: skipped, no flang")
                continue
            for level in chosen.levels.split(","):
                machine = Machine(chosen, folder)
                try:
                    plain_time, plugin_time = [], []
                    for _ in range(chosen.rounds):
                        plain, taken = machine.build(name, sources, [level, *flags], False)
                        plain_time.append(taken)
                        machine.remarks = []
                        built, taken = machine.build(name, sources, [level, *flags], True)
                        plugin_time.append(taken)
                    before, after = run([plain], timeout=300), run([built], timeout=300)
                    same = (before.returncode, before.stdout) == (after.returncode, after.stdout) and before.stdout
                except (RuntimeError, subprocess.TimeoutExpired) as error:
                    print(f"{name} {level}: {error}")
                    failures += 1
                    continue
                failures += not same
                done = [(where, text) for where, text, kind in machine.remarks if kind == "Rpass"]
                left = {}
                for where, text, kind in machine.remarks:
                    if kind == "Rpass-missed":
                        left.setdefault(re.sub(r"call of \S+", "call of ...", text.replace("cannot transform the loops: ", "")), []).append(where)
                cost = min(plugin_time) / min(plain_time) - 1
                print(f"{name} {level}: {'the same' if same else 'DIFFERENT'}, {before.stdout.count(chr(10))} lines, status {before.returncode}; {len(sources)} files, {min(plain_time):.1f} s, "
                      f"with the plugin {100 * cost:+.1f} %; {len(done)} nests transformed, {sum(map(len, left.values()))} left")
                if not same:
                    for a, b in list(zip(before.stdout.splitlines(), after.stdout.splitlines()))[:400]:
                        if a != b:
                            print(f"  {a}\n  {b}")
                            break
                kinds = {}
                for _, text in done:
                    what = re.sub(r"; .*", "", text)
                    kinds[what] = kinds.get(what, 0) + 1
                for what, count in sorted(kinds.items(), key=lambda x: -x[1])[:12]:
                    print(f"  + {count:5} {what}")
                for where, text in done if chosen.list else []:
                    print(f"      {where} {text}")
                for reason, places in sorted(left.items(), key=lambda x: -len(x[1]))[:14]:
                    print(f"  - {len(places):5} {reason} ({', '.join(dict.fromkeys(places[:: max(1, len(places) // 4)]))})"[:230])
                sys.stdout.flush()
    print(f"{failures} failures")
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
