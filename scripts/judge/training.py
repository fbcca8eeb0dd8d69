"""How a cross-encoder is trained, whatever it reads: the loop, with weights that are rounded as in the export, and averaged at the end."""
import time
import torch, torch.nn as nn

BATCH = 32
RATE = 1.2e-4
# The weights of this last part of the training are averaged.
AVERAGED = 0.25
# From this part on weights are used as the export will round them, so that it costs little.
ROUNDED_FROM, ROUNDED_TO = 0.5, 64
# What a stop loses.
SAVED_EVERY_S = 600


def auc_of(yes, no):
    ranked = sorted([(s, 1) for s in yes] + [(s, 0) for s in no])
    at, total = 0, 0.0
    while at < len(ranked):
        end = at
        while end < len(ranked) and ranked[end][0] == ranked[at][0]: end += 1
        total += (at + end + 1) / 2 * sum(y for _, y in ranked[at:end])
        at = end
    return (total - len(yes) * (len(yes) + 1) / 2) / max(1, len(yes) * len(no))


def scores_of(model, batches, count):
    """What the network answers of each row, in their order; batches are of (inputs, targets, places of the rows)."""
    model.eval()
    out = [None] * count
    with torch.no_grad():
        for inputs, _, places in batches:
            for i, s in zip(places, model(**inputs).tolist()): out[i] = s
    return out


def rounding(model, on):
    """Has each layer use its weights rounded as in the export (symmetric, 7 bits, by output), or as they are."""
    for layer in (m for m in model.encoder.encoder.modules() if isinstance(m, nn.Linear)):
        if not on: layer.__dict__.pop("forward", None)
        else: layer.forward = lambda x, layer=layer: nn.functional.linear(x, rounded(layer.weight), layer.bias)


def rounded(weight):
    step = weight.detach().abs().amax(1, keepdim=True).clamp(min=1e-8) / ROUNDED_TO
    return weight + ((weight / step).round() * step - weight).detach()


def fit(model, epoch, loss_of, look, name, args):
    """
    Trains for args.minutes at args.rate. epoch() gives the batches of one; look(step) tells how far it is, whenever a checkpoint was
    written to NAME-STEP.pt, and takes no time of the training.
    """
    model.keep()
    free = [p for p in model.parameters() if p.requires_grad]
    optimiser = torch.optim.AdamW(free, args.rate, weight_decay=0.01, fused=True)
    begun, step, mean, count, done, paused, epochs, is_rounded, saved, sums = time.time(), 0, None, 0, 0.0, 0.0, 0, False, time.time(), []
    while done < 1:
        epochs += 1
        for inputs, targets, _ in epoch():
            done = (time.time() - begun - paused) / (60 * args.minutes)
            if done >= 1: break
            model.train()
            if done > ROUNDED_FROM and not is_rounded: rounding(model, True); is_rounded = True
            for g in optimiser.param_groups: g["lr"] = args.rate * min(1, (step + 1) / 100) * max(0.03, 1 - done)
            loss = loss_of(model, inputs, targets)
            loss.backward(), nn.utils.clip_grad_norm_(free, 1.0), optimiser.step(), optimiser.zero_grad()
            sums.append(loss.item())
            step += 1
            if done > 1 - AVERAGED and step % 5 == 0:
                count += 1
                now = [p.detach() for p in free]
                mean = [p.clone() for p in now] if mean is None else [m + (p - m) / count for m, p in zip(mean, now)]
            if step % 100 == 0:
                print(f"step {step}, epoch {epochs}, {step * BATCH / (time.time() - begun - paused):.1f} pairs/s, loss {sum(sums) / len(sums):.3f}, done {done:.2f}", flush=True)
                sums = []
            if time.time() - saved > SAVED_EVERY_S:
                saved = time.time()
                torch.save(model.taught(), f"{name}-{step}.pt")
                look(step)
                paused += time.time() - saved
    print(f"{step} steps of {BATCH} in {epochs} epochs, {step * BATCH / (60 * args.minutes):.1f} pairs/s", flush=True)
    rounding(model, False)
    for p, m in zip(free, mean or []): p.data.copy_(m)
