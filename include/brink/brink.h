/* brink/brink.h -- everything. */
#ifndef BRINK_BRINK_H
#define BRINK_BRINK_H

#include "brink/automaton.h"
#include "brink/base.h"
#include "brink/constrained.h"
#include "brink/continue.h"
#include "brink/figure.h"
#include "brink/integrator.h"
#include "brink/load.h"
#include "brink/model.h"
#include "brink/out.h"
#include "brink/reflected.h"
#include "brink/sim.h"
#include "brink/structure.h"
#include "brink/trace.h"

#endif /* BRINK_BRINK_H */
