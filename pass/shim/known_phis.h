// Expressions of scalar evolution with phis of which it knows nothing by itself.

#ifndef LOOPWRIGHT_KNOWN_PHIS_H
#define LOOPWRIGHT_KNOWN_PHIS_H

#include "context.h"

namespace loopwright {

/// The expression, with those of its phis replaced of which more can be known: see `KnownPhis`.
const SCEV *withKnownPhis(Context &C, const SCEV *S);

} // namespace loopwright

#endif
