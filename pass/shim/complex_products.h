// Products of complex numbers, which C wants to be computed anew where both parts are NaN.

#ifndef LOOPWRIGHT_COMPLEX_PRODUCTS_H
#define LOOPWRIGHT_COMPLEX_PRODUCTS_H

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/LoopInfo.h"

namespace loopwright {
using namespace llvm;

/// Adds the blocks in loops that compute such a product anew, and those that ask for the second part behind the first:
///
///     from:  br (uno x, 0), ask, on          or  br (uno x, 0 and uno y, 0), anew, on
///     ask:   br (uno y, 0), anew, on
///     anew:  call __muldc3(..); br on
///
/// They have no effects, and come back to where the program would have gone without them. To each a branch leads that asks whether a number is NaN.
void findComplexProducts(Function &F, const LoopInfo &LI, SmallPtrSetImpl<const BasicBlock *> &Anew);

} // namespace loopwright

#endif
