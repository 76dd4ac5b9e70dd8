//===- Driver.h - The CUDA driver, found at run time ------------*- C -*-===//
//
// Part of the Lowp project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LOWP_RUNTIME_DRIVER_H
#define LOWP_RUNTIME_DRIVER_H

#include "lowp-c/CudaDriver.h"

/// The driver's functions, once lowp_rt_load_driver has succeeded.
extern LowpCudaDriver lowp_rt_driver;

/// The function `name` of the driver, without its prefix.
#define DRIVER(name) lowp_rt_driver.cu##name

/// Loads and initializes the driver, unless that is done. A failure sets the
/// error; the next call tries again.
int32_t lowp_rt_load_driver(void);

/// Sets this thread's error to what a function of the driver returned, with
/// the driver's text, and returns the LowpStatus for it. `what` is what could
/// not be done ("cannot ...").
int32_t lowp_rt_driver_error(CUresult result, const char *what, ...)
    __attribute__((format(printf, 2, 3)));

#endif // LOWP_RUNTIME_DRIVER_H
