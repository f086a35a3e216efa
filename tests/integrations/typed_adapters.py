"""Wrong options of the adapters, which mypy is to see: it tells of an ignored error that is none.

It is read by mypy and never run.
"""

from mdchunk.integrations import haystack, langchain, llama_index

langchain.MarkdownChunkSplitter(chunk_size=3, context="headings", add_start_index=True)
langchain.MarkdownChunkSplitter(chunk_sise=3)  # type: ignore[call-arg]
langchain.MarkdownChunkSplitter(chunk_size="3")  # type: ignore[arg-type]
haystack.MarkdownChunkSplitter(chunk_size=3, context="headings", source_key="name")
haystack.MarkdownChunkSplitter(chunk_sise=3)  # type: ignore[call-arg]
haystack.MarkdownChunkSplitter(chunk_size="3")  # type: ignore[arg-type]
llama_index.MarkdownChunkNodeParser(chunk_size=3, context="headings", chunk_sizes=(3, 2))
llama_index.MarkdownChunkNodeParser(chunk_sise=3)  # type: ignore[call-arg]
llama_index.MarkdownChunkNodeParser(chunk_size="3")  # type: ignore[arg-type]
