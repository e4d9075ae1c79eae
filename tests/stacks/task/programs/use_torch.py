"""PyTorch: DataLoader with workers, tensors shared in both of its ways, threads, training."""
import torch
import torch.multiprocessing as mp
from torch.utils.data import DataLoader, TensorDataset

import cases


def double(tensor):
    tensor.mul_(2)


def main():
    ids, value = zip(*cases.read())
    torch.manual_seed(1)
    torch.set_num_threads(2)
    x = torch.randn(512, 1)
    data = TensorDataset(x, (x > 0).float())
    assert set(mp.get_all_sharing_strategies()) == {"file_descriptor", "file_system"}
    for strategy in ("file_descriptor", "file_system"):
        mp.set_sharing_strategy(strategy)
        seen = 0
        for batch, _ in DataLoader(data, batch_size=64, num_workers=2, shuffle=True):
            assert batch.is_shared(), "the batch did not come through shared memory"
            seen += len(batch)
        assert seen == len(data), strategy
        tensor = torch.ones(1 << 16).share_memory_()
        process = mp.get_context("spawn").Process(target=double, args=(tensor,))
        process.start()
        process.join()
        assert process.exitcode == 0 and float(tensor.sum()) == 2 * tensor.numel(), strategy

    model = torch.nn.Linear(1, 1)
    optimiser = torch.optim.SGD(model.parameters(), lr=1.0)
    for _ in range(5):
        for batch, side in DataLoader(data, batch_size=128, num_workers=2):
            optimiser.zero_grad()
            torch.nn.functional.binary_cross_entropy_with_logits(model(batch), side).backward()
            optimiser.step()
    with torch.no_grad():
        p = torch.sigmoid(model(torch.tensor(value).unsqueeze(1))).squeeze(1)
    cases.write(ids, p)


if __name__ == "__main__":
    main()
