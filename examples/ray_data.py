"""Chunk a Parquet data set (columns ``id`` and ``text``) with Ray Data.

python examples/ray_data.py PACKED CHUNKS
"""

import sys

import ray
from ray.data.expressions import col

from mdchunk import Options
from mdchunk.batch import chunk_batch

OPTIONS = Options(chunk_size=512, context="headings")


def chunked(documents: ray.data.Dataset, options: Options = OPTIONS) -> ray.data.Dataset:
    """Give the chunks of documents, as rows of CHUNK_SCHEMA."""
    # some megabytes to a batch: enough to pay for the call, little enough to spread the work
    return documents.map_batches(
        chunk_batch, fn_kwargs={"options": options}, batch_format="pyarrow", batch_size=256
    )


if __name__ == "__main__":
    packed, out = sys.argv[1:]
    chunks = chunked(ray.data.read_parquet(packed, columns=["id", "text"])).materialize()
    chunks.write_parquet(out)
    failed = chunks.filter(expr=col("error").is_not_null()).count()
    print(chunks.count(), "rows,", failed, "of them errors")
