"""Shows every example with and without the plugin. Called by demo.sh, which builds the plugin."""

import sys

import measure

ROUNDS = 3


def main():
    sources = sorted((measure.ROOT / "examples").glob("*.c"))
    if wanted := sys.argv[1:]:
        sources = [source for source in sources if source.stem in wanted]
        if unknown := set(wanted) - {source.stem for source in sources}:
            sys.exit(f"no such example: {', '.join(sorted(unknown))}")
    measure.use_one_core()
    print(f"\nclang-22 -O3 -march=native, without and with the plugin; medians of {ROUNDS} interleaved rounds\n")
    print(f"{'example':<24}{'without':>11}{'with':>11}{'ratio':>8}  {'identical':<11}what was done")
    differ = []
    for source in sources:
        try:
            without = measure.build(source, "clang", measure.CLANG)
            plugged = measure.build(source, "loopwright", [*measure.CLANG, *measure.plugin_flags()])
            for _ in range(ROUNDS):
                without.run()
                plugged.run()
            _, done = measure.what_was_done(source)
        except measure.Failure as failure:
            print(f"{source.stem:<24}failed: {failure}")
            differ.append(source.stem)
            continue
        same = without.hashes == plugged.hashes and len(without.hashes) == 1
        if not same:
            differ.append(source.stem)
        line = (
            f"{source.stem:<24}{without.median() * 1e3:>8.2f} ms{plugged.median() * 1e3:>8.2f} ms"
            f"{without.median() / plugged.median():>7.2f}x  {'yes' if same else 'NO':<11}{done}"
        )
        print(line[: measure.columns()], flush=True)
    print("\nratio: time without the plugin over time with it; identical: every byte of the results")
    if differ:
        sys.exit(f"not identical or failed: {', '.join(differ)}")


if __name__ == "__main__":
    main()
