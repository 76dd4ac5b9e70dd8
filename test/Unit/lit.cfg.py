import os

import lit.formats

config.name = "Lowp-Unit"
config.test_source_root = os.path.join(config.lowp_obj_root, "test", "Unit")
config.test_exec_root = config.test_source_root

# Each case of each program is one test in lit's count.
config.test_format = lit.formats.GoogleTest(".", "Tests")
