"""The ways to compile an example, and measuring one in all of them, in turn."""

import functools
import pathlib
import shutil
import subprocess
import time

import measure

REFERENCE = "clang"
LOOPWRIGHT = "loopwright"
POLLY = ["-mllvm", "-polly"]
POLLY_EARLY = [*POLLY, "-mllvm", "-polly-position=early"]
POLLYS = {
    "polly": POLLY,
    "polly early": POLLY_EARLY,
    "polly tiled": [*POLLY_EARLY, "-mllvm", "-polly-2nd-level-tiling", "-mllvm", "-polly-register-tiling"],
}
OPENBLAS = "openblas"
SECONDS_IN_PROCESS, MOST_RUNS = 0.3, 9

# What it has for an example: see openblas.c. Sums are in another order there: its results are not compared.
ROUTINES = {
    **{f"matmul_{product}": "GEMM" for product in ("ijk", "ikj", "jik", "jki", "kij", "kji", "restrict", "flat")},
    "gemm": "GEMM",
    "matmul_at_b": "GEMM_AT_B",
    "matmul_a_bt": "GEMM_A_BT",
    "matmul_float": "GEMM_FLOAT",
    "syrk": "SYRK",
    "syr2k": "SYR2K",
    "symm": "SYMM",
    "trmm": "TRMM",
    "trisolve": "SOLVE",
    "trisolve_shifted": "SOLVE",
    "trisolve_column_major": "SOLVE_COLUMN_MAJOR",
    "cholesky": "CHOLESKY",
    "cholesky_rows": "CHOLESKY",
    "lu": "LU",
    "lu_rows": "LU",
}
# It does not know processors that came after it: the fastest of these is taken.
CORE_TYPES = (None, "SkylakeX", "Haswell", "Zen")


@functools.cache
def openblas_is_there():
    try:
        done = subprocess.run(["cc", "-print-file-name=libopenblas.so"], capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        return False
    return pathlib.Path(done.stdout.strip()).is_absolute()


def compilers():
    """Name of each way to compile -> the compiler with its flags. All are compared with REFERENCE."""
    result = {
        REFERENCE: measure.CLANG,
        LOOPWRIGHT: [*measure.CLANG, *measure.plugin_flags()],
        **{way: [*measure.CLANG, *flags] for way, flags in POLLYS.items()},
    }
    if shutil.which("gcc"):
        result["gcc"] = ["gcc", "-O3", "-march=native"]
    return result


def rivals():
    """The columns of the table."""
    return [way for way in compilers() if way != REFERENCE] + ([OPENBLAS] if openblas_is_there() else [])


class Clock:
    """The time that is left for all that is still to be measured. Without a limit there is always enough."""

    def __init__(self, seconds=None):
        self.end = time.monotonic() + seconds if seconds else None

    def share(self, of):
        """When the next of so many must be done."""
        return time.monotonic() + max(0.0, self.end - time.monotonic()) / max(of, 1) if self.end else None


def build_openblas(name, size):
    """The program with the core type that is fastest at this size, one thread."""
    library = measure.ROOT / "scripts" / "openblas.c"
    built = measure.build(library, name, [*measure.CLANG, f"-DROUTINE={ROUTINES[name]}"], ["-lopenblas"])
    best, problem = None, None
    for core in CORE_TYPES:
        environment = {"OPENBLAS_NUM_THREADS": "1", **({"OPENBLAS_CORETYPE": core} if core else {})}
        program = measure.Program(built.path, built.compile_seconds, environment)
        try:
            program.run(size, 3)
        except measure.Failure as failure:
            problem = failure  # this processor cannot do what that core can
            continue
        if best is None or program.median() < best.median():
            best = program
    if best is None:
        raise problem
    return best


class Kernel:
    """An example built in all ways."""

    def __init__(self, name, source, size):
        """OpenBLAS's core type is chosen at this size."""
        self.name, self.source, self.programs, self.problems = name, source, {}, {}
        for way, compiler in compilers().items():
            self.attempt(way, lambda compiler=compiler, way=way: measure.build(source, way, compiler))
        if openblas_is_there() and name in ROUTINES:
            self.attempt(OPENBLAS, lambda: build_openblas(name, size))

    def attempt(self, way, build):
        try:
            self.programs[way] = build()
        except measure.Failure as failure:
            self.problems[way] = str(failure)

    def measure(self, size, rounds, runs=None, until=None):
        """The result at one size: rounds of all ways in turn, and when the time is over no more of them, but one of the two that matter."""
        for program in self.programs.values():
            program.seconds, program.hashes = [], set()
        programs, problems = dict(self.programs), dict(self.problems)
        often = {}
        for number in range(rounds):
            order = list(programs)
            # The first round begins with the two that matter.
            turn = number % max(len(order), 1)
            for way in order[turn:] + order[:turn]:
                if until and time.monotonic() > until and (number > 0 or way not in (REFERENCE, LOOPWRIGHT)):
                    continue
                try:
                    # Each way by its own time: where one is fast, memory that is new to the process would be much of it.
                    often[way] = runs or often.get(way) or runs_for(programs[way], size)
                    programs[way].run(size, often[way])
                except measure.Failure as failure:
                    problems[way] = str(failure)
                    del programs[way]
        return self.result(size, often, {w: p for w, p in programs.items() if p.seconds}, problems)

    @functools.cached_property
    def done(self):
        """Whether the plugin has changed the code, and what it says about it."""
        return (False, "failed") if LOOPWRIGHT in self.problems else measure.what_was_done(self.source)

    def result(self, size, often, programs, problems):
        changed, done = self.done
        clang = programs.get(REFERENCE)
        result = {"kernel": self.name, "size": size, "changed": changed, "done": done}
        result.update(problems=problems, ways={})
        for way, program in programs.items():
            result["ways"][way] = {
                "runs": often[way],
                "seconds": program.seconds,
                "median": program.median(),
                "compile_seconds": program.compile_seconds,
                "ratio": clang.median() / program.median() if clang else None,
                "identical": bool(clang) and program.hashes == clang.hashes and len(program.hashes) == 1,
                **({"core": program.environment.get("OPENBLAS_CORETYPE")} if way == OPENBLAS else {}),
            }
        return result


def runs_for(program, size):
    """How many timed runs one process should make, by a first one that is not counted."""
    program.run(size, 1)
    seconds = program.seconds.pop()
    return max(1, min(MOST_RUNS, round(SECONDS_IN_PROCESS / max(seconds, 1e-6))))
