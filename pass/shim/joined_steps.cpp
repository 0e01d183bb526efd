#include "joined_steps.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Metadata.h"

using namespace llvm;

namespace loopwright {
namespace {

/// On a sum, and on the phi that it stands for: the same number.
constexpr StringLiteral Mark = "loopwright.joined.step";

/// More is not worth what it takes to look at.
constexpr unsigned MostPhis = 8;

/// The sums of a counter and a constant that a phi brings.
struct Step {
  PHINode &Counter;
  Loop &L;
  DominatorTree &DT;
  std::optional<APInt> By = std::nullopt;
  bool NoUnsignedWrap = true, NoSignedWrap = true;
  SmallPtrSet<PHINode *, MostPhis> Seen = {};
  SmallVector<std::pair<APInt, BasicBlockEdge>> Constants = {};

  bool takes(PHINode &Phi) {
    if (Seen.size() == MostPhis || !Seen.insert(&Phi).second)
      return false;
    for (unsigned K = 0; K < Phi.getNumIncomingValues(); ++K)
      if (!brings(*Phi.getIncomingValue(K), BasicBlockEdge(Phi.getIncomingBlock(K), Phi.getParent())))
        return false;
    return true;
  }

  bool brings(Value &V, BasicBlockEdge Edge) {
    if (auto *C = dyn_cast<ConstantInt>(&V)) {
      Constants.push_back({C->getValue(), Edge});
      return true;
    }
    if (auto *Phi = dyn_cast<PHINode>(&V))
      return Phi != &Counter && L.contains(Phi) && takes(*Phi);
    auto *Sum = dyn_cast<BinaryOperator>(&V);
    auto *C = Sum && Sum->getOpcode() == Instruction::Add ? dyn_cast<ConstantInt>(Sum->getOperand(1)) : nullptr;
    if (!C || Sum->getOperand(0) != &Counter || (By && *By != C->getValue()))
      return false;
    By = C->getValue();
    NoUnsignedWrap &= Sum->hasNoUnsignedWrap();
    NoSignedWrap &= Sum->hasNoSignedWrap();
    return true;
  }

  /// Is a constant the sum on all ways that bring it: is the counter known to be a number there?
  bool areSums() {
    for (auto &[Brought, Edge] : Constants) {
      bool Overflows = false;
      APInt At = Brought - *By;
      if (!isKnown(At, Edge))
        return false;
      (void)At.uadd_ov(*By, Overflows);
      NoUnsignedWrap &= !Overflows;
      (void)At.sadd_ov(*By, Overflows);
      NoSignedWrap &= !Overflows;
    }
    return true;
  }

  bool isKnown(const APInt &Number, BasicBlockEdge Edge) {
    for (User *U : Counter.users()) {
      auto *Asks = dyn_cast<ICmpInst>(U);
      auto *C = Asks && Asks->isEquality() && Asks->getOperand(0) == &Counter ? dyn_cast<ConstantInt>(Asks->getOperand(1)) : nullptr;
      if (!C || C->getValue() != Number)
        continue;
      for (User *Of : Asks->users()) {
        auto *Way = dyn_cast<BranchInst>(Of);
        if (!Way || !Way->isConditional() || Way->getSuccessor(0) == Way->getSuccessor(1))
          continue;
        BasicBlock *Equal = Way->getSuccessor(Asks->getPredicate() == ICmpInst::ICMP_EQ ? 0 : 1);
        BasicBlockEdge Known(Way->getParent(), Equal);
        bool Same = Known.getStart() == Edge.getStart() && Known.getEnd() == Edge.getEnd();
        if (Same || DT.dominates(Known, Edge.getStart()))
          return true;
      }
    }
    return false;
  }
};

/// Joins the step of a counter.
bool join(PHINode &Counter, Loop &L, DominatorTree &DT, unsigned Number) {
  BasicBlock *Latch = L.getLoopLatch();
  auto *Next = dyn_cast<PHINode>(Counter.getIncomingValueForBlock(Latch));
  auto Front = L.getHeader()->getFirstInsertionPt();
  // Nothing can be computed in front of a `catchswitch`.
  if (!Next || !Counter.getType()->isIntegerTy() || Next->getParent() == L.getHeader() || !L.contains(Next) || Front == L.getHeader()->end())
    return false;
  Step S{Counter, L, DT};
  if (!S.takes(*Next) || !S.By || !S.areSums())
    return false;
  IRBuilder<> B(&*Front);
  auto *Sum = dyn_cast<Instruction>(B.CreateAdd(&Counter, ConstantInt::get(Counter.getType(), *S.By), Next->getName(), S.NoUnsignedWrap, S.NoSignedWrap));
  if (!Sum)
    return false;
  Next->replaceAllUsesWith(Sum);
  Type *I32 = Type::getInt32Ty(Sum->getContext());
  MDNode *Same = MDNode::get(Sum->getContext(), ConstantAsMetadata::get(ConstantInt::get(I32, Number)));
  Next->setMetadata(Mark, Same);
  Sum->setMetadata(Mark, Same);
  return true;
}

} // namespace

bool partSteps(Function &F, bool Undo) {
  DenseMap<MDNode *, std::pair<Instruction *, PHINode *>> Joined;
  for (Instruction &I : instructions(F))
    if (MDNode *Same = I.getMetadata(Mark)) {
      if (auto *Phi = dyn_cast<PHINode>(&I))
        Joined[Same].second = Phi;
      else
        Joined[Same].first = &I;
      I.setMetadata(Mark, nullptr);
    }
  bool Changed = false;
  for (auto &[Same, Pair] : Joined)
    if (auto [Sum, Phi] = Pair; Undo && Sum && Phi) {
      Sum->replaceAllUsesWith(Phi);
      Sum->eraseFromParent();
      Changed = true;
    }
  return Changed;
}

PreservedAnalyses JoinedStepsPass::run(Function &F, FunctionAnalysisManager &FAM) {
  auto &LI = FAM.getResult<LoopAnalysis>(F);
  auto &DT = FAM.getResult<DominatorTreeAnalysis>(F);
  unsigned Joined = 0;
  for (Loop *L : LI.getLoopsInPreorder())
    if (!L->isInnermost() && L->getLoopLatch())
      for (PHINode &Counter : L->getHeader()->phis())
        Joined += join(Counter, *L, DT, Joined);
  if (!Joined)
    return PreservedAnalyses::all();
  PreservedAnalyses PA;
  PA.preserveSet<CFGAnalyses>();
  return PA;
}

} // namespace loopwright
