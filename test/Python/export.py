# REQUIRES: torch-mlir
# RUN: env LOWP_COMPILE=lowp-compile %python %s
"""A PyTorch module exported by lowp.export compiles, names its parameters, and
computes what PyTorch computes."""

import numpy as np
import torch

import lowp


class Tied(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.table = torch.nn.Embedding(32, 16)
        self.fc = torch.nn.Linear(16, 16, bias=False)
        self.head = torch.nn.Linear(16, 32, bias=False)
        self.head.weight = self.table.weight
        self.register_buffer("shift", torch.arange(16, dtype=torch.float32))

    def forward(self, ids):
        return self.head(torch.relu(self.fc(self.table(ids) + self.shift)))


torch.manual_seed(0)
module = Tied().eval()
ids = torch.tensor([[1, 5, 9, 31]])
text = lowp.export(module, (ids,))
assert '#lowp.param<name = "fc.weight", kind = weight>' in text
assert "kind = ids" in text
assert text.count("kind = weight") == 2, "tied parameters are one argument"

program = lowp.compile(text)
arguments = [
    p.detach().numpy() for p in (module.table.weight, module.fc.weight)
] + [ids.numpy()]
with torch.no_grad():
    expected = module(ids).numpy()
np.testing.assert_allclose(program(*arguments), expected, rtol=1e-5, atol=1e-5)

quantised = lowp.emit(text, "mlir", recipe="mxfp8", flags=["--stop-after=simplify"]).decode()
assert 'name = "fc.weight"' in quantised and "lowp.quantize" in quantised
