// Steps of counters that jump threading has parted, joined again.

#ifndef LOOPWRIGHT_JOINED_STEPS_H
#define LOOPWRIGHT_JOINED_STEPS_H

#include "llvm/ADT/StringRef.h"
#include "llvm/IR/PassManager.h"
#include "llvm/Support/raw_ostream.h"

namespace loopwright {

/// `for (j = 0; j < n; j++) { for (k = 0; k < j; k++) ..; for (i = j + 1; i < n; i++) ..; }`: where the first loop does not run, `j` is 0, and of what follows jump threading makes a copy in which `j + 1` is 1. The
/// counter's next value is a phi of `j + 1` and 1 then, and nobody knows how often the loop runs. Where all that such a phi brings is the counter and one constant, or what that is for a known counter, the sum is computed once, in front. Marks what
/// it has done, for [`partSteps`].
struct JoinedStepsPass : llvm::PassInfoMixin<JoinedStepsPass> {
  llvm::PreservedAnalyses run(llvm::Function &F, llvm::FunctionAnalysisManager &FAM);
  static constexpr llvm::StringLiteral Name = "loopwright-joined-steps";
  void printPipeline(llvm::raw_ostream &OS, llvm::function_ref<llvm::StringRef(llvm::StringRef)>) { OS << Name; }
  static bool isRequired() { return false; }
};

/// Takes the marks away, and if `Undo` the sums, too: where nothing has come of them, the phis are used again. Says whether instructions are others now.
bool partSteps(llvm::Function &F, bool Undo);

} // namespace loopwright

#endif
