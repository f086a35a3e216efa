"""Chunk a Parquet data set (columns ``id`` and ``text``) with PySpark.

python examples/pyspark_map.py PACKED CHUNKS
"""

import os
import sys
from collections.abc import Iterable, Iterator

import pyarrow as pa
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.pandas.types import from_arrow_schema

from mdchunk import Options
from mdchunk.batch import CHUNK_SCHEMA, chunk_batch

OPTIONS = Options(chunk_size=512, context="headings")


def chunked(documents: DataFrame, options: Options = OPTIONS) -> DataFrame:
    """Give the chunks of documents, as rows of CHUNK_SCHEMA."""

    def split(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for batch in batches:
            yield chunk_batch(batch, options)

    return documents.mapInArrow(split, from_arrow_schema(CHUNK_SCHEMA))


def session() -> SparkSession:
    """Start a session whose workers use this Python."""
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    builder = SparkSession.builder.appName("mdchunk")
    # Spark gives 10,000 rows at a time, which long documents make heavy
    return builder.config("spark.sql.execution.arrow.maxRecordsPerBatch", 256).getOrCreate()


if __name__ == "__main__":
    packed, out = sys.argv[1:]
    spark = session()
    chunked(spark.read.parquet(packed).select("id", "text")).write.parquet(out)
    chunks = spark.read.parquet(out)
    failed = chunks.filter("error is not null").count()
    print(chunks.count(), "rows,", failed, "of them errors")
    spark.stop()
