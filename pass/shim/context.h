// What one run on one function may ask.

#ifndef LOOPWRIGHT_CONTEXT_H
#define LOOPWRIGHT_CONTEXT_H

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/OptimizationRemarkEmitter.h"
#include "llvm/Analysis/PostDominators.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/IR/Dominators.h"
#include <memory>

namespace loopwright {
using namespace llvm;

/// Everything one run on one function may ask.
struct Context {
  Function &F;
  ScalarEvolution &SE;
  LoopInfo &LI;
  DominatorTree &DT;
  PostDominatorTree &PDT;
  /// Blocks from which every way ends in `unreachable` or in `resume`: the function does not return from there.
  SmallPtrSet<const BasicBlock *, 16> Dead;
  /// Blocks in which products of complex numbers are computed anew, and whether some of them store.
  SmallPtrSet<const BasicBlock *, 16> Anew;
  bool StoresAnew;
  /// Post-dominators where no way leads from other blocks into those; null if that changes nothing.
  std::unique_ptr<PostDominatorTree> Live;

  /// Is it off the ways that regions take?
  bool isAside(const BasicBlock *B) const { return Dead.contains(B) || Anew.contains(B); }
  bool isSideExit(const BasicBlock *From, const BasicBlock *To) const { return isAside(To) && !isAside(From); }
  AAResults &AA;
  TargetTransformInfo &TTI;
  TargetLibraryInfo &TLI;
  OptimizationRemarkEmitter &ORE;
};

} // namespace loopwright

#endif
