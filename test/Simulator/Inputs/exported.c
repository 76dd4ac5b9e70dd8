// What lowp-c/CudaDriver.h says is exported, and a program that uses it.
#include "lowp-c/CudaDriver.h"

#ifdef NAMES
#define LOWP_CUDA_FUNCTION(name, symbol, parameters) exported symbol;
LOWP_CUDA_FUNCTIONS(LOWP_CUDA_FUNCTION)
#undef LOWP_CUDA_FUNCTION
#define LOWP_CUDA_FUNCTION(type, name, parameters) exported name;
LOWP_CUDA_SIMULATOR_FUNCTIONS(LOWP_CUDA_FUNCTION)
#else
static LowpCudaDriver driver;
int initialize(void);
int initialize(void) { return driver.cuInit ? driver.cuInit(0) : CUDA_SUCCESS; }
#endif
