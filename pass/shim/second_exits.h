// Second exits of loops, made by jump threading, led back to the first.

#ifndef LOOPWRIGHT_SECOND_EXITS_H
#define LOOPWRIGHT_SECOND_EXITS_H

#include "llvm/ADT/StringRef.h"
#include "llvm/IR/PassManager.h"
#include "llvm/Support/raw_ostream.h"

namespace loopwright {

/// `for (k = m - 1; k >= 0; k--) if (b[k] != 0) { ..; for (i = 0; i < k; i++) ..; }`: where the inner loop does not run (`k < 1`) the outer one ends, too, and jump threading goes there at once. A loop with
/// several exits has no number of iterations that is known. Where the way out of the middle is taken only if the condition at the end of the loop would leave it as well, control goes on to that end:
/// it asks once more, and nothing else changes. Loops without others inside are left alone. Marks what it has done, for [`leaveWhereTheyLeft`].
struct SecondExitsPass : llvm::PassInfoMixin<SecondExitsPass> {
  llvm::PreservedAnalyses run(llvm::Function &F, llvm::FunctionAnalysisManager &FAM);
  static constexpr llvm::StringLiteral Name = "loopwright-second-exits";
  void printPipeline(llvm::raw_ostream &OS, llvm::function_ref<llvm::StringRef(llvm::StringRef)>) { OS << Name; }
  static bool isRequired() { return false; }
};

/// Takes the marks away, and if `Undo` what they stand for: where nothing has come of it, the program leaves its loops where it left them. Says whether the control flow is another one now.
bool leaveWhereTheyLeft(llvm::Function &F, bool Undo);

} // namespace loopwright

#endif
