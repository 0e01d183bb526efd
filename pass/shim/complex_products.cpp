// Products of complex numbers, which C wants to be computed anew where both parts are NaN.

#include "complex_products.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace loopwright {
namespace {

/// Is it the call of the run-time library that computes such a product? The names are the implementation's own.
bool computesProduct(const Instruction &I) {
  auto *Call = dyn_cast<CallInst>(&I);
  const Function *Callee = Call ? Call->getCalledFunction() : nullptr;
  return Callee && Callee->isDeclaration() && (Callee->getName() == "__muldc3" || Callee->getName() == "__mulsc3") &&
         Call->arg_size() == 4 && all_of(Call->args(), [](const Use &A) { return A->getType()->isFloatingPointTy(); });
}

bool isPure(const Instruction &I) { return !I.mayHaveSideEffects() && !I.mayReadFromMemory(); }

/// Does it compute one such product, and go on?
bool isAnew(const BasicBlock &B) {
  unsigned Calls = 0;
  for (const Instruction &I : B) {
    if (I.isTerminator() || isPure(I))
      continue;
    if (!computesProduct(I))
      return false;
    ++Calls;
  }
  return Calls == 1 && B.getUniqueSuccessor();
}

/// Whether a number is NaN, or whether several are.
bool asksForNaN(Value *Condition) {
  CmpPredicate How;
  Value *A, *B;
  if (match(Condition, m_FCmp(How, m_Value(), m_Value())))
    return How == FCmpInst::FCMP_UNO;
  return match(Condition, m_LogicalAnd(m_Value(A), m_Value(B))) && asksForNaN(A) && asksForNaN(B);
}

/// The block from which a branch that asks for NaN leads here, where it would go on to `On` otherwise, in one loop.
BasicBlock *askedFrom(BasicBlock &To, BasicBlock &On, const LoopInfo &LI) {
  BasicBlock *From = To.getSinglePredecessor();
  auto *Branch = From ? dyn_cast<BranchInst>(From->getTerminator()) : nullptr;
  const Loop *Inside = LI.getLoopFor(&To);
  bool Is = Branch && Branch->isConditional() && Branch->getSuccessor(0) == &To && Branch->getSuccessor(1) == &On &&
            asksForNaN(Branch->getCondition()) && Inside && LI.getLoopFor(From) == Inside && LI.getLoopFor(&On) == Inside;
  return Is ? From : nullptr;
}

} // namespace

void findComplexProducts(Function &F, const LoopInfo &LI, SmallPtrSetImpl<const BasicBlock *> &Anew) {
  for (BasicBlock &B : F) {
    if (!isAnew(B))
      continue;
    BasicBlock &On = *B.getUniqueSuccessor();
    BasicBlock *Ask = askedFrom(B, On, LI);
    if (!Ask)
      continue;
    Anew.insert(&B);
    if (all_of(*Ask, isPure) && askedFrom(*Ask, On, LI))
      Anew.insert(Ask);
  }
}

} // namespace loopwright
