"""Measure one core on your own documents, for the arithmetic of docs/scale.md.

    python examples/measure.py PACKED

Time is that of the processor, so that other programs do not lengthen it.
"""

import sys
import time

from pyarrow import dataset

from mdchunk import Options
from mdchunk.batch import chunk_batch

OPTIONS = Options(chunk_size=512)
ROUNDS = 5

if __name__ == "__main__":
    documents = dataset.dataset(sys.argv[1]).to_table(["id", "text"])
    chunk_batch(documents.slice(0, 1), OPTIONS)  # loads the tokenizer
    seconds = []
    for _ in range(ROUNDS):
        since = time.process_time()
        chunks = chunk_batch(documents, OPTIONS)
        seconds.append(time.process_time() - since)
    best = min(seconds)
    size = documents["text"].nbytes
    print(f"{len(documents)} documents, {size / 1e6:.2f} MB, {len(chunks)} chunks, {best:.2f} s")
    print(
        f"{len(documents) / best:.0f} documents/s, {size / 1e6 / best:.2f} MB/s, "
        f"{len(chunks) / best:.0f} chunks/s on one core"
    )
