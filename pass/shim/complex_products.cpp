// Products of complex numbers, which C wants to be computed anew where both parts are NaN.

#include "complex_products.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/Analysis/CFG.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace loopwright {
namespace {

/// More blocks are no copy of a loop that we would transform.
constexpr unsigned MostBlocks = 200;

/// Is it the call of the run-time library that computes such a product? The names are the implementation's own.
bool computesProduct(const Instruction &I) {
  auto *Call = dyn_cast<CallInst>(&I);
  const Function *Callee = Call ? Call->getCalledFunction() : nullptr;
  return Callee && Callee->isDeclaration() && (Callee->getName() == "__muldc3" || Callee->getName() == "__mulsc3") &&
         Call->arg_size() == 4 && all_of(Call->args(), [](const Use &A) { return A->getType()->isFloatingPointTy(); });
}

/// Whether a number is NaN, or whether several are.
bool asksForNaN(Value *Condition) {
  if (auto *Comparison = dyn_cast<FCmpInst>(Condition))
    return Comparison->getPredicate() == FCmpInst::FCMP_UNO;
  Value *A, *B;
  return match(Condition, m_LogicalAnd(m_Value(A), m_Value(B))) && asksForNaN(A) && asksForNaN(B);
}

/// What is found behind one branch.
struct Behind {
  SmallVector<BasicBlock *, 8> Blocks;
  unsigned Products = 0;
  bool Stores = false;
};

/// All that runs only behind the branch to a block. False: it does something else, or does not come back.
bool collect(BasicBlock &First, const LoopInfo &LI, const DominatorTree &DT, ScalarEvolution &SE, Behind &Found) {
  const Loop *Inside = LI.getLoopFor(First.getSinglePredecessor());
  SmallVector<BasicBlock *, 8> Open{&First};
  SmallPtrSet<BasicBlock *, 8> Seen{&First};
  while (!Open.empty()) {
    BasicBlock *B = Open.pop_back_val();
    Found.Blocks.push_back(B);
    const Loop *Own = LI.getLoopFor(B);
    if (Found.Blocks.size() > MostBlocks || !isa<BranchInst>(B->getTerminator()) || !Own || !Inside->contains(Own))
      return false;
    // A loop that does not end does not come back.
    if (Own != Inside && Own->getHeader() == B && isa<SCEVCouldNotCompute>(SE.getBackedgeTakenCount(Own)))
      return false;
    for (const Instruction &I : *B) {
      bool Product = computesProduct(I);
      Found.Products += Product;
      if (auto *Store = dyn_cast<StoreInst>(&I)) {
        Found.Stores = true;
        if (!Store->isSimple())
          return false;
      } else if (auto *Load = dyn_cast<LoadInst>(&I)) {
        if (!Load->isSimple())
          return false;
      } else if (!Product && (I.mayHaveSideEffects() || I.mayReadFromMemory())) {
        return false;
      }
    }
    for (BasicBlock *Next : successors(B)) {
      if (DT.dominates(&First, Next)) {
        if (Seen.insert(Next).second)
          Open.push_back(Next);
      } else if (LI.getLoopFor(Next) != Inside || Next == Inside->getHeader()) {
        return false;
      }
    }
  }
  return Found.Products > 0;
}

} // namespace

void findComplexProducts(Function &F, const LoopInfo &LI, const DominatorTree &DT, ScalarEvolution &SE,
                         SmallPtrSetImpl<const BasicBlock *> &Anew, bool &Stores) {
  for (BasicBlock &B : F) {
    auto *Branch = dyn_cast<BranchInst>(B.getTerminator());
    if (!Branch || !Branch->isConditional() || !LI.getLoopFor(&B) || !asksForNaN(Branch->getCondition()))
      continue;
    BasicBlock *First = Branch->getSuccessor(0);
    Behind Found;
    if (First == Branch->getSuccessor(1) || !First->getSinglePredecessor() || !collect(*First, LI, DT, SE, Found))
      continue;
    Anew.insert(Found.Blocks.begin(), Found.Blocks.end());
    Stores |= Found.Stores;
  }
  // Cycles that are no loops need not end.
  if (!Anew.empty()) {
    ReversePostOrderTraversal<Function *> Order(&F);
    if (containsIrreducibleCFG<BasicBlock *>(Order, LI))
      Anew.clear();
  }
}

} // namespace loopwright
