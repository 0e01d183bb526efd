#include "second_exits.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/DomTreeUpdater.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Metadata.h"

using namespace llvm;

namespace loopwright {
namespace {

/// On a branch that does not leave its loop any more: which of its successors was the exit.
constexpr StringLiteral Mark = "loopwright.second.exit";

/// May a block run where the program has left the loop already? It must do nothing but compute.
bool onlyComputes(BasicBlock &End) {
  for (Instruction &I : End)
    if (!isa<PHINode>(I) && !I.isTerminator() && !I.isDebugOrPseudoInst() && !isSafeToSpeculativelyExecute(&I))
      return false;
  return true;
}

/// Does a value depend on the way by which the end is reached?
bool dependsOnWay(Value *V, BasicBlock &End) {
  auto *I = dyn_cast<Instruction>(V);
  if (!I || I->getParent() != &End)
    return false;
  return isa<PHINode>(I) || any_of(I->operands(), [&](Value *Of) { return dependsOnWay(Of, End); });
}

/// What the phis of the end get from the new way to it, if those of the exit get from there what they get now. All others are not used when the loop ends.
bool wanted(BasicBlock *From, BasicBlock *End, BasicBlock *Exit, DominatorTree &DT, DenseMap<PHINode *, Value *> &Values) {
  for (PHINode &Out : Exit->phis()) {
    Value *Now = Out.getIncomingValueForBlock(From);
    Value *Then = Out.getIncomingValueForBlock(End);
    if (Now == Then)
      continue;
    auto *Phi = dyn_cast<PHINode>(Then);
    if (!Phi || Phi->getParent() != End || Values.try_emplace(Phi, Now).first->second != Now)
      return false;
  }
  for (PHINode &Phi : End->phis()) {
    if (Values.count(&Phi))
      continue;
    Value *Any = PoisonValue::get(Phi.getType());
    for (Value *V : Phi.incoming_values())
      if (auto *I = dyn_cast<Instruction>(V); !I || DT.dominates(I, From->getTerminator()))
        Any = V;
    Values[&Phi] = Any;
  }
  return true;
}

/// Leads the way from a block out of the loop to its end, if that leaves it then.
bool leadBack(Loop &L, BasicBlock *From, DominatorTree &DT, const DataLayout &DL) {
  BasicBlock *End = L.getLoopLatch();
  auto *Last = dyn_cast<BranchInst>(End->getTerminator());
  auto *Way = dyn_cast<BranchInst>(From->getTerminator());
  if (!Last || !Last->isConditional() || !Way || !Way->isConditional())
    return false;
  unsigned Out = L.contains(Last->getSuccessor(0)) ? 1 : 0;
  BasicBlock *Exit = Last->getSuccessor(Out);
  if (L.contains(Exit) || Way->getSuccessor(0) == Way->getSuccessor(1))
    return false;
  if (Way->getSuccessor(0) != Exit && Way->getSuccessor(1) != Exit)
    return false;
  unsigned Left = Way->getSuccessor(0) == Exit ? 0 : 1;
  BasicBlock *Other = Way->getSuccessor(1 - Left);
  if (!L.contains(Other) || Other == End)
    return false;
  // All that the end uses must be there, too.
  auto *Node = DT.getNode(End);
  if (!Node || !Node->getIDom() || !DT.dominates(Node->getIDom()->getBlock(), From) || !onlyComputes(*End))
    return false;
  // It must ask there for what is known here, and not for what is undefined, unless the program has done so before.
  if (dependsOnWay(Last->getCondition(), *End) || !impliesPoison(Last->getCondition(), Way->getCondition()))
    return false;
  auto Implied = isImpliedCondition(Way->getCondition(), Last->getCondition(), DL, Left == 0);
  if (!Implied || *Implied != (Out == 0))
    return false;
  DenseMap<PHINode *, Value *> Values;
  if (!wanted(From, End, Exit, DT, Values))
    return false;
  for (auto [Phi, V] : Values)
    Phi->addIncoming(V, From);
  Exit->removePredecessor(From, /*KeepOneInputPHIs=*/true);
  Way->setSuccessor(Left, End);
  Type *I1 = Type::getInt1Ty(Way->getContext());
  Way->setMetadata(Mark, MDNode::get(Way->getContext(), ConstantAsMetadata::get(ConstantInt::get(I1, Left))));
  DomTreeUpdater(DT, DomTreeUpdater::UpdateStrategy::Eager)
      .applyUpdates({{DominatorTree::Insert, From, End}, {DominatorTree::Delete, From, Exit}});
  return true;
}

/// Leads a way to the end of a loop out of it again: to where the end leaves it, with the values that it would bring there.
bool leadOut(BranchInst &Way, unsigned Left) {
  BasicBlock *From = Way.getParent();
  BasicBlock *End = Way.getSuccessor(Left);
  auto *Last = dyn_cast<BranchInst>(End->getTerminator());
  if (!Last || !Last->isConditional() || Way.getSuccessor(1 - Left) == End)
    return false;
  // The condition is the same: where the way is taken the end leaves.
  auto Leaves = isImpliedCondition(Way.getCondition(), Last->getCondition(), From->getDataLayout(), Left == 0);
  if (!Leaves)
    return false;
  BasicBlock *Exit = Last->getSuccessor(*Leaves ? 0 : 1);
  for (PHINode &Out : Exit->phis()) {
    Value *V = Out.getIncomingValueForBlock(End);
    if (auto *I = dyn_cast<Instruction>(V); I && I->getParent() == End && !isa<PHINode>(I))
      return false;
  }
  for (PHINode &Out : Exit->phis()) {
    Value *V = Out.getIncomingValueForBlock(End);
    auto *Phi = dyn_cast<PHINode>(V);
    Out.addIncoming(Phi && Phi->getParent() == End ? Phi->getIncomingValueForBlock(From) : V, From);
  }
  End->removePredecessor(From, /*KeepOneInputPHIs=*/true);
  Way.setSuccessor(Left, Exit);
  return true;
}

} // namespace

bool leaveWhereTheyLeft(Function &F, bool Undo) {
  bool Changed = false;
  for (BasicBlock &B : F) {
    auto *Way = dyn_cast<BranchInst>(B.getTerminator());
    MDNode *Known = Way ? Way->getMetadata(Mark) : nullptr;
    if (!Known)
      continue;
    Way->setMetadata(Mark, nullptr);
    if (Undo && Way->isConditional())
      Changed |= leadOut(*Way, mdconst::extract<ConstantInt>(Known->getOperand(0))->isOne() ? 1 : 0);
  }
  return Changed;
}

PreservedAnalyses SecondExitsPass::run(Function &F, FunctionAnalysisManager &FAM) {
  auto &LI = FAM.getResult<LoopAnalysis>(F);
  auto &DT = FAM.getResult<DominatorTreeAnalysis>(F);
  bool Changed = false;
  for (Loop *L : LI.getLoopsInPreorder()) {
    BasicBlock *End = L->getLoopLatch();
    if (L->isInnermost() || !End || !L->isLoopExiting(End))
      continue;
    SmallVector<BasicBlock *> Exiting;
    L->getExitingBlocks(Exiting);
    for (BasicBlock *From : Exiting)
      if (From != End && LI.getLoopFor(From) == L)
        Changed |= leadBack(*L, From, DT, F.getDataLayout());
  }
  if (!Changed)
    return PreservedAnalyses::all();
  PreservedAnalyses PA;
  PA.preserve<LoopAnalysis>();
  PA.preserve<DominatorTreeAnalysis>();
  return PA;
}

} // namespace loopwright
