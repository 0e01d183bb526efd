#include "known_phis.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;
using namespace loopwright;

namespace {

/// Phis of which scalar evolution knows nothing.
/// * Those to which every branch brings the same are what it brings. LLVM makes them where it joins the ends of two branches: `p = phi [&x[k], left], [&x[k], right]`.
/// * Those that go on over the loops inside, `for (i) for (j) *p++ = x;`, are recurrences: what a loop adds to its `p` is known of its inner loops once these are over. (Scalar evolution asks for a
///   phi's recurrence before it knows how often the loops inside run.) So are their low bits, where LLVM has made a counter of 64 bits of an `int` and extends it anew in each iteration.
class KnownPhis : public SCEVRewriteVisitor<KnownPhis> {
public:
  /// What all that look for one expression share.
  struct Search {
    /// Incoming values that may still be looked at. A phi may have hundreds, each made of such phis.
    unsigned Left = 32;
    /// Of loops: of what is asked already.
    SmallPtrSet<const PHINode *, 4> Asked;
  };
  KnownPhis(Context &C, Search &Of) : SCEVRewriteVisitor(C.SE), C(C), Of(Of) {}

  const SCEV *visitUnknown(const SCEVUnknown *U) {
    auto *Phi = dyn_cast<PHINode>(U->getValue());
    if (!Phi)
      return U;
    const SCEV *Found = nullptr;
    if (C.LI.isLoopHeader(Phi->getParent()))
      Found = recurrence(U, Phi);
    else if (const SCEV *Same = sameFromAll(Phi))
      Found = Same;
    else
      Found = goneRound(Phi);
    return Found ? Found : U;
  }

  const SCEV *visitTruncateExpr(const SCEVTruncateExpr *T) {
    auto *U = dyn_cast<SCEVUnknown>(T->getOperand());
    auto *Phi = U ? dyn_cast<PHINode>(U->getValue()) : nullptr;
    const SCEV *Found = Phi && C.LI.isLoopHeader(Phi->getParent()) ? recurrence(T, Phi) : nullptr;
    return Found ? Found : SE.getTruncateExpr(visit(T->getOperand()), T->getType());
  }

private:
  const SCEV *look(Value *V) {
    if (Of.Left == 0)
      return nullptr;
    --Of.Left;
    return KnownPhis(C, Of).visit(SE.getSCEV(V));
  }

  const SCEV *sameFromAll(PHINode *Phi) {
    const SCEV *Same = nullptr;
    for (Value *Incoming : Phi->incoming_values()) {
      const SCEV *S = look(Incoming);
      if (!S || (Same && S != Same))
        return nullptr;
      Same = S;
    }
    // The same in letters only, if it speaks of a loop that has been left.
    bool IsOver = !Same || SCEVExprContains(Same, [&](const SCEV *S) {
      auto *Recurrence = dyn_cast<SCEVAddRecExpr>(S);
      return Recurrence && !Recurrence->getLoop()->contains(Phi);
    });
    return IsOver ? nullptr : Same;
  }

  /// What loops leave that would not run once where they are gone round: `k = phi [k, before], [k + n, behind]`. Where that is so it is `k + n` all the same, if `n` comes to nothing there.
  const SCEV *goneRound(PHINode *Phi) {
    const Loop *L = C.LI.getLoopFor(Phi->getParent());
    if (!L || Phi->getNumIncomingValues() != 2)
      return nullptr;
    const SCEV *Brought[] = {look(Phi->getIncomingValue(0)), look(Phi->getIncomingValue(1))};
    if (!Brought[0] || !Brought[1])
      return nullptr;
    for (unsigned Round : {0u, 1u}) {
      const SCEV *When = onlyIteration(L, Phi->getIncomingBlock(Round), Phi->getParent());
      if (!When)
        continue;
      const SCEV *Left = SE.getSCEVAtScope(Brought[1 - Round], L);
      if (isa<SCEVCouldNotCompute>(Left))
        continue;
      // Signs are known where it is not that iteration: where the loops are not gone round, the branch has been passed on its other side.
      if (isOnOtherSide(Phi->getIncomingBlock(1 - Round), Phi->getIncomingBlock(Round), Phi->getParent()))
        Left = WithSigns(SE, L, When).visit(Left);
      const SCEV *Further = SE.getMinusSCEV(Left, Brought[Round]);
      auto *Moves = dyn_cast<SCEVAddRecExpr>(Further);
      // A narrow counter may come to the number again, with other high bits in the iteration: a square has to do with these.
      unsigned Bits = SE.getTypeSizeInBits(When->getType());
      bool IsNothing = Moves && Moves->getLoop() == L && SE.getTypeSizeInBits(Moves->getType()) <= Bits && (Moves->isAffine() || Bits == 64) &&
                       Moves->evaluateAtIteration(When, SE)->isZero();
      if (IsNothing)
        return Left;
    }
    return nullptr;
  }

  /// Does control come to a block only where the branch at the end of another one has not gone to `To`?
  bool isOnOtherSide(BasicBlock *Here, BasicBlock *From, BasicBlock *To) {
    auto *Branch = cast<BranchInst>(From->getTerminator());
    BasicBlock *Other = Branch->getSuccessor(Branch->getSuccessor(0) == To ? 1 : 0);
    return C.DT.dominates(BasicBlockEdge(From, Other), Here);
  }

  /// Numbers that lose their sign, as if they kept it: in all iterations of a loop but one, its first or last, they are not negative.
  class WithSigns : public SCEVRewriteVisitor<WithSigns> {
  public:
    WithSigns(ScalarEvolution &SE, const Loop *L, const SCEV *But) : SCEVRewriteVisitor(SE), L(L), But(But) {}

    const SCEV *visitZeroExtendExpr(const SCEVZeroExtendExpr *E) {
      auto *Moves = dyn_cast<SCEVAddRecExpr>(E->getOperand());
      const SCEV *Last = SE.getBackedgeTakenCount(L);
      if (!Moves || !Moves->isAffine() || Moves->getLoop() != L || !Moves->hasNoSignedWrap() || isa<SCEVCouldNotCompute>(Last))
        return E;
      const SCEV *Step = Moves->getStepRecurrence(SE), *One = SE.getOne(Last->getType());
      bool FromSecond = But->isZero() && SE.isKnownNonNegative(Step) && SE.isKnownNonNegative(Moves->evaluateAtIteration(One, SE));
      bool ToLast = But == Last && SE.isKnownNonPositive(Step) && SE.isKnownNonNegative(Moves->evaluateAtIteration(SE.getMinusSCEV(Last, One), SE));
      return FromSecond || ToLast ? SE.getSignExtendExpr(Moves, E->getType()) : E;
    }

  private:
    const Loop *L;
    const SCEV *But;
  };

  /// `{start, +, walk}` where the latch brings the phi and `walk`, which is a recurrence of the same loop or does not change in it. `Self`: the phi, or its low bits.
  const SCEV *recurrence(const SCEV *Self, PHINode *Phi) {
    const Loop *L = C.LI.getLoopFor(Phi->getParent());
    BasicBlock *Latch = L->getLoopLatch(), *Before = L->getLoopPredecessor();
    if (!Latch || !Before || !Of.Asked.insert(Phi).second)
      return nullptr;
    const SCEV *Moves = walk(Self, L, Phi->getIncomingValueForBlock(Latch));
    Of.Asked.erase(Phi);
    const SCEV *Start = Moves ? look(Phi->getIncomingValueForBlock(Before)) : nullptr;
    if (!Start)
      return nullptr;
    SmallVector<const SCEV *, 4> Terms = {fitted(Start, Self)};
    if (auto *Itself = dyn_cast<SCEVAddRecExpr>(Moves); Itself && Itself->getLoop() == L)
      append_range(Terms, Itself->operands());
    else
      Terms.push_back(Moves);
    bool IsFixed = all_of(Terms, [&](const SCEV *S) { return SE.isLoopInvariant(S, L); });
    return IsFixed ? SE.getAddRecExpr(Terms, L, SCEV::FlagAnyWrap) : nullptr;
  }

  const SCEV *fitted(const SCEV *S, const SCEV *Self) {
    return S->getType() == Self->getType() ? S : SE.getTruncateExpr(S, Self->getType());
  }

  /// What the loop adds to `Self` before `Back` is what it has become.
  const SCEV *walk(const SCEV *Self, const Loop *L, Value *Back) {
    const SCEV *S = look(Back);
    const auto *Sum = S ? dyn_cast<SCEVAddExpr>(SE.getSCEVAtScope(fitted(S, Self), L)) : nullptr;
    if (!Sum || llvm::count(Sum->operands(), Self) != 1)
      return nullptr;
    SmallVector<const SCEV *, 4> Added;
    copy_if(Sum->operands(), std::back_inserter(Added), [&](const SCEV *S) { return S != Self; });
    return SE.getAddExpr(Added);
  }

  /// The iteration of a loop in which control goes from one block to another, if there is but one: the branch asks whether a counter is at some number, or at its end.
  const SCEV *onlyIteration(const Loop *L, BasicBlock *From, BasicBlock *To) {
    auto *Branch = dyn_cast<BranchInst>(From->getTerminator());
    auto *Compare = Branch && Branch->isConditional() ? dyn_cast<ICmpInst>(Branch->getCondition()) : nullptr;
    if (!Compare || Branch->getSuccessor(0) == Branch->getSuccessor(1) || !Compare->getOperand(0)->getType()->isIntegerTy())
      return nullptr;
    CmpInst::Predicate Is = Branch->getSuccessor(0) == To ? Compare->getPredicate() : Compare->getInversePredicate();
    const SCEV *Counter = SE.getSCEV(Compare->getOperand(0)), *Limit = SE.getSCEV(Compare->getOperand(1));
    if (SE.isLoopInvariant(Counter, L)) {
      std::swap(Counter, Limit);
      Is = CmpInst::getSwappedPredicate(Is);
    }
    auto *Counts = dyn_cast<SCEVAddRecExpr>(Counter);
    if (!Counts || !Counts->isAffine() || Counts->getLoop() != L || !SE.isLoopInvariant(Limit, L))
      return nullptr;
    const SCEV *Step = Counts->getStepRecurrence(SE), *Way = SE.getMinusSCEV(Limit, Counts->getStart());
    bool Up = Step->isOne(), Down = Step->isAllOnesValue();
    if (Is == CmpInst::ICMP_EQ)
      return Up ? Way : Down ? SE.getNegativeSCEV(Way) : nullptr;
    bool IsPast = (Up && Is == CmpInst::ICMP_UGE && Counts->hasNoUnsignedWrap()) || (Up && Is == CmpInst::ICMP_SGE && Counts->hasNoSignedWrap()) ||
                  (Down && Is == CmpInst::ICMP_SLE && Counts->hasNoSignedWrap());
    const SCEV *Last = SE.getBackedgeTakenCount(L);
    return IsPast && !isa<SCEVCouldNotCompute>(Last) && Counts->evaluateAtIteration(Last, SE) == Limit ? Last : nullptr;
  }

  Context &C;
  Search &Of;
};

} // namespace

const SCEV *loopwright::withKnownPhis(Context &C, const SCEV *S) {
  KnownPhis::Search Search;
  return KnownPhis(C, Search).visit(S);
}
