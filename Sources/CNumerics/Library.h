#pragma once

/* Which library the files beside this one call. */

#if defined(__APPLE__)
/* The manifest defines ACCELERATE_NEW_LAPACK: without it these headers declare the LAPACK of 2009. */
#include <Accelerate/Accelerate.h>
#define NUMERICS_ACCELERATE 1
#define HIDDEN_LENGTH
#else
#include <cblas.h>
#if defined(DIURNAL_NUMERICS_FORTRAN)
/* Accelerate's file is compiled against OpenBLAS, so that it is tested where there is no Mac. */
#include "AccelerateOnLinux.h"
#define NUMERICS_ACCELERATE 1
#endif
#endif
