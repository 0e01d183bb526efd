// Products of complex numbers, which C wants to be computed anew where both parts are NaN.

#ifndef LOOPWRIGHT_COMPLEX_PRODUCTS_H
#define LOOPWRIGHT_COMPLEX_PRODUCTS_H

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/IR/Dominators.h"

namespace loopwright {
using namespace llvm;

/// Adds the blocks in loops in which such a product is computed anew, and what else runs only there:
///
///     from:  br (uno x, 0), ask, on          or  br (uno x, 0 and uno y, 0), anew, on
///     ask:   br (uno y, 0), anew, on
///     anew:  call __muldc3(..); br on
///
/// Where x does not change in a loop, LLVM has made two of that, and all of one is behind the branch. Those blocks come back to where the program would have gone without them, in the same iteration of the loop around, and do
/// nothing besides but load and store. `Stores`: whether they store.
void findComplexProducts(Function &F, const LoopInfo &LI, const DominatorTree &DT, ScalarEvolution &SE,
                         SmallPtrSetImpl<const BasicBlock *> &Anew, bool &Stores);

} // namespace loopwright

#endif
