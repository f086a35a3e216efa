"""What explain says of each place where a cut could have fallen."""

from __future__ import annotations

import pytest
from corpus import own_documents

from mdchunk import Chunker, Options


@pytest.mark.parametrize("overlap", [0, 20])
@pytest.mark.parametrize("size", [60, 150, 400])
def test_a_runner_up_is_a_place_beside_which_both_chunks_would_fit(size: int, overlap: int) -> None:
    """A chunk is planned for the size less the overlap; a step that cannot be cut may fill both."""
    chunker = Chunker(
        chunk_size=size, chunk_overlap=overlap, unit="characters", front_matter="text"
    )
    named = 0
    for source in own_documents().values():
        places = chunker.explain(source)
        offsets = [place.offset for place in places]
        chosen = [place for place in places if place.chosen]
        cuts = [0, *(place.offset for place in chosen), len(source)]
        for before, place, after in zip(cuts[:-2], chosen, cuts[2:], strict=True):
            if place.runner_up is None:
                continue
            named += 1
            assert place.runner_up_worth > 0
            for start, end in ((before, place.runner_up), (place.runner_up, after)):
                alone = not any(start < offset < end for offset in offsets)
                assert alone or len(source[start:end].rstrip()) <= size - overlap
    assert named > 20


SET_UPS = {
    "qmd": Options.qmd(),
    "qmd, small": Options.qmd(chunk_size=90),
    "lookback": Options(cutoff="lookback", chunk_size=100),
    "lookback, full context": Options(cutoff="lookback", chunk_size=100, context="full"),
    "optimal": Options(chunk_size=100),
    "optimal with overlap": Options(chunk_size=100, chunk_overlap=20),
}


@pytest.mark.parametrize("options", SET_UPS.values(), ids=SET_UPS)
def test_no_chosen_cut_is_worth_less_than_its_runner_up(options: Options) -> None:
    """What is shown is what the selector in force went by: lookback was shown optimal's worth."""
    chunker, named = Chunker(options), 0
    documents = own_documents().values()
    for source in (*documents, "\n\n".join(documents)):
        for place in chunker.explain(source):
            if place.chosen and place.runner_up is not None:
                named += 1
                assert place.worth >= place.runner_up_worth * (1 - 1e-9), place
    assert named > 2
