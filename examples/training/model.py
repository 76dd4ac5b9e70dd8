# Part of the Lowp project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A small mixture-of-experts language model in PyTorch.

Every expert sees every token, and a weight of zero drops those that a token did
not choose: no shape depends on data. Sums over tokens and experts are in FP32,
because the exporter would keep sums of BF16 in BF16.
"""

import torch
from torch.nn import functional

bf16 = torch.bfloat16


def linear(x, weight):
    return torch.matmul(x, weight.transpose(-1, -2))


def rms_norm(x, gain):
    wide = x.float()
    scale = torch.rsqrt(wide.square().mean(-1, keepdim=True) + 1e-5)
    return (wide * scale * gain.float()).to(bf16)


def one_hot(ids, classes, dtype):
    return (ids.unsqueeze(-1) == torch.arange(classes)).to(dtype)


def attention(sizes, x, at, weights):
    b, t, h = x.shape
    flat = x.reshape(b * t, h)

    def heads(name):
        y = linear(flat, weights[f"{at}self_attn.{name}.weight"])
        return y.reshape(b, t, sizes.heads, h // sizes.heads).transpose(1, 2)

    q, k, v = heads("q_proj"), heads("k_proj"), heads("v_proj")
    scores = torch.matmul(q, k.transpose(-1, -2)).float() * q.shape[-1] ** -0.5
    later = torch.arange(t).unsqueeze(0) > torch.arange(t).unsqueeze(1)
    scores = torch.where(later, torch.full((), float("-inf")), scores)
    mixed = torch.matmul(torch.softmax(scores, -1).to(bf16), v)
    flat = mixed.transpose(1, 2).reshape(b * t, h)
    return linear(flat, weights[at + "self_attn.o_proj.weight"]).reshape(b, t, h)


def experts(sizes, x, at, weights):
    b, t, h = x.shape
    flat = x.reshape(b * t, h)
    share = torch.softmax(linear(flat, weights[at + "router.weight"]).float(), -1)
    # The rank of an expert is how many a token prefers to it; of equals the
    # first. Which are chosen is not differentiated, what they weigh is.
    fixed = share.detach()
    left, right = fixed.unsqueeze(-1), fixed.unsqueeze(-2)
    number = torch.arange(sizes.experts)
    earlier = number.unsqueeze(0) < number.unsqueeze(1)
    rank = ((right > left) | ((right == left) & earlier)).float().sum(-1)
    share = share * (rank < sizes.chosen).float()
    share = share / share.sum(-1, keepdim=True)
    every = flat.unsqueeze(0).expand(sizes.experts, -1, -1)
    hidden = torch.bmm(every, weights[at + "experts.gate_up.weight"].transpose(1, 2))
    gate, up = hidden.chunk(2, -1)
    inner = (functional.silu(gate.float()) * up.float()).to(bf16)
    y = torch.bmm(inner, weights[at + "experts.down.weight"].transpose(1, 2))
    y = (y.float() * share.t().unsqueeze(-1)).sum(0)
    return y.to(bf16).reshape(b, t, h)


def logits(sizes, weights, tokens):
    b, t = tokens.shape
    table = weights["embed_tokens.weight"]
    # A product with one-hot rows: its gradient is a product, too, not a scatter.
    x = torch.matmul(one_hot(tokens.reshape(b * t), sizes.vocabulary, bf16), table)
    places = weights["embed_positions.weight"].float()
    x = (x.reshape(b, t, sizes.hidden).float() + places).to(bf16)
    for layer in range(sizes.layers):
        at = f"layers.{layer}."
        x = x + attention(sizes, rms_norm(x, weights[at + "input_norm.weight"]), at, weights)
        x = x + experts(sizes, rms_norm(x, weights[at + "expert_norm.weight"]), at, weights)
    x = rms_norm(x, weights["norm.weight"]).reshape(b * t, sizes.hidden)
    return linear(x, weights["lm_head.weight"]).reshape(b, t, sizes.vocabulary)


def loss(sizes, weights, tokens, targets):
    """Mean cross-entropy in nats, FP32."""
    score = torch.log_softmax(logits(sizes, weights, tokens).float(), -1)
    picked = score * one_hot(targets, sizes.vocabulary, torch.float32)
    return -picked.sum() / targets.numel()
