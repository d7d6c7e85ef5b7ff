"""Joins the three pieces of variable Fraunces that @fontsource-variable/fraunces ships into one TrueType file a style."""

import itertools
import sys
from pathlib import Path

from fontTools.otlLib.builder import buildPairPosClassesSubtable, buildValue
from fontTools.ttLib import TTFont, newTable
from fontTools.ttLib.tables import otTables as ot
from fontTools.varLib.builder import buildVarIdxMap
from fontTools.varLib.models import VariationModel
from fontTools.varLib.varStore import OnlineVarStoreBuilder

PIECES = ("latin", "latin-ext", "vietnamese")


def supports_of(font):
    """Regions of the variation store of GDEF, each a dictionary as glyph variations have."""
    store = font["GDEF"].table.VarStore
    axes = [axis.axisTag for axis in font["fvar"].axes]
    return store, [region.get_support(font["fvar"].axes) for region in store.VarRegionList.Region]


def value_of(record, store, supports):
    """A kerning value as its default and the changes by region."""
    if record is None:
        return None
    base = getattr(record, "XAdvance", 0)
    others = ("XPlacement", "YPlacement", "YAdvance")
    assert not any(getattr(record, name, 0) for name in others), vars(record)
    device = getattr(record, "XAdvDevice", None)
    changes = {}
    if device is not None:
        assert device.DeltaFormat == 0x8000
        data = store.VarData[device.StartSize]
        for region, delta in zip(data.VarRegionIndex, data.Item[device.EndSize]):
            if delta:
                changes[tuple(sorted(supports[region].items()))] = delta
    return (base, tuple(sorted(changes.items()))) if base or changes else None


def pairs_of(font):
    """Kerning of each pair of glyphs, as the first subtable that covers its first glyph says."""
    store, supports = supports_of(font) if "GDEF" in font else (None, [])
    glyphs = font.getGlyphOrder()
    pairs = {}
    for lookup in font["GPOS"].table.LookupList.Lookup:
        seen = {}
        for subtable in lookup.SubTable:
            subtable = getattr(subtable, "ExtSubTable", subtable)
            assert subtable.LookupType == 2, subtable.LookupType
            for index, first in enumerate(subtable.Coverage.glyphs):
                if subtable.Format == 1:
                    records = [
                        (record.SecondGlyph, record.Value1)
                        for record in subtable.PairSet[index].PairValueRecord
                    ]
                else:
                    row = subtable.Class1Record[subtable.ClassDef1.classDefs.get(first, 0)]
                    classes = subtable.ClassDef2.classDefs
                    records = [
                        (glyph, row.Class2Record[classes.get(glyph, 0)].Value1) for glyph in glyphs
                    ]
                for second, record in records:
                    # A class subtable answers for all second glyphs, a pair subtable for its own.
                    if (first, second) not in seen:
                        seen[first, second] = value_of(record, store, supports)
        for pair, value in seen.items():
            if value is not None:
                assert pair not in pairs, f"{pair} is kerned by two lookups"
                pairs[pair] = value
    return pairs


def join_kerning(fonts):
    pairs = {}
    for font in fonts:
        for pair, value in pairs_of(font).items():
            known = pairs.setdefault(pair, value)
            if known != value:
                print("kerning differs", pair, known, value, file=sys.stderr)
    return pairs


def add_pairs_between_pieces(pairs, statics, order):
    """Pieces have no kerning between letters of two of them. The static fonts tell which of the known pairs of a
    letter is kerned like an unknown one, at every weight."""
    known_names = set(order)
    tables = [pairs_of(font) for font in statics]
    names = {pair for table in tables for pair in table if known_names.issuperset(pair)}

    def weights_of(pair):
        return tuple((table.get(pair) or (0, ()))[0] for table in tables)

    by_first, by_second = {}, {}
    for pair in sorted(names & pairs.keys()):
        by_first.setdefault((pair[0], weights_of(pair)), pairs[pair])
        by_second.setdefault((pair[1], weights_of(pair)), pairs[pair])
    unknown = [pair for pair in sorted(names - pairs.keys()) if any(weights_of(pair))]
    failed = 0
    for pair in unknown:
        like = by_first.get((pair[0], weights_of(pair))) or by_second.get((pair[1], weights_of(pair)))
        if like is not None:
            pairs[pair] = like
        else:
            failed += 1
    print(len(unknown), "pairs between pieces,", failed, "of them without a known one")


def class_subtable(pairs, order, builder):
    """One subtable by classes: glyphs whose kerning is the same in all pairs are one class."""
    seconds = sorted({second for _, second in pairs}, key=order.index)
    columns = {}
    for second in seconds:
        column = tuple(sorted((a, value) for (a, b), value in pairs.items() if b == second))
        columns.setdefault(column, []).append(second)
    groups2 = [tuple(group) for group in columns.values()]
    rows = {}
    for first in sorted({first for first, _ in pairs}, key=order.index):
        row = tuple(pairs.get((first, group[0])) for group in groups2)
        rows.setdefault(row, []).append(first)
    values = {}
    for row, firsts in rows.items():
        for group, value in zip(groups2, row):
            if value is not None:
                values[tuple(firsts), group] = (to_value(value, builder), None)
    glyph_map = {name: index for index, name in enumerate(order)}
    return buildPairPosClassesSubtable(values, glyph_map)


def to_value(value, builder):
    base, changes = value
    parts = {"XAdvance": base}
    if changes:
        builder.setSupports([{}] + [dict(region) for region, _ in changes])
        parts["XAdvDevice"] = to_device(builder.storeDeltas([0] + [d for _, d in changes]))
    return buildValue(parts)


def to_device(index):
    device = ot.Device()
    device.DeltaFormat, device.StartSize, device.EndSize = 0x8000, index >> 16, index & 0xFFFF
    return device


def rebuild_advances(font):
    """HVAR from the phantom points of the glyphs' own variations."""
    builder = OnlineVarStoreBuilder([axis.axisTag for axis in font["fvar"].axes])
    indexes = []
    for name in font.getGlyphOrder():
        supports, deltas = [{}], [0]
        for variation in font["gvar"].variations.get(name, []):
            left, right = variation.coordinates[-4], variation.coordinates[-3]
            change = (right or (0, 0))[0] - (left or (0, 0))[0]
            if change:
                supports.append(variation.axes)
                deltas.append(change)
        builder.setSupports(supports)
        indexes.append(builder.storeDeltas(deltas))
    store = builder.finish()
    moved = store.optimize()
    table = font["HVAR"] = newTable("HVAR")
    hvar = table.table = ot.HVAR()
    hvar.Version = 0x00010000
    hvar.VarStore = store
    hvar.LsbMap = hvar.RsbMap = None
    order = font.getGlyphOrder()
    hvar.AdvWidthMap = buildVarIdxMap([moved[index] for index in indexes], order)


def join(pieces, statics):
    font, *others = fonts = [TTFont(path, recalcTimestamp=False) for path in pieces]
    axes = [(a.axisTag, a.minValue, a.defaultValue, a.maxValue) for a in font["fvar"].axes]
    order = list(font.getGlyphOrder())
    characters = dict(font.getBestCmap())
    pairs = join_kerning(fonts)
    for other in others:
        assert axes == [(a.axisTag, a.minValue, a.defaultValue, a.maxValue) for a in other["fvar"].axes]
        assert font["avar"].segments == other["avar"].segments
        for name in other.getGlyphOrder():
            if name in order:
                assert font["hmtx"][name] == other["hmtx"][name], name
                continue
            order.append(name)
            font["glyf"].glyphs[name] = other["glyf"][name]
            font["hmtx"].metrics[name] = other["hmtx"][name]
            font["gvar"].variations[name] = other["gvar"].variations.get(name, [])
        for code, name in other.getBestCmap().items():
            assert characters.setdefault(code, name) == name, (code, name)
    font.setGlyphOrder(order)
    font["glyf"].glyphOrder = order
    for table in font["cmap"].tables:
        table.cmap = {c: n for c, n in characters.items() if c < 0x10000 or table.format == 12}

    add_pairs_between_pieces(pairs, [TTFont(path) for path in statics], order)

    # The forms of WONK: the same conditions in every piece that has them.
    def conditions(one):
        return [
            [(c.AxisIndex, c.FilterRangeMinValue, c.FilterRangeMaxValue) for c in record.ConditionSet.ConditionTable]
            for record in one["GSUB"].table.FeatureVariations.FeatureVariationRecord
        ]

    def forms(one):
        return [
            subtable.mapping
            for lookup in one["GSUB"].table.LookupList.Lookup
            if lookup.LookupType == 1
            for subtable in lookup.SubTable
        ]

    (own,) = forms(font)
    for other in others:
        if getattr(other["GSUB"].table, "FeatureVariations", None) is None:
            continue
        assert conditions(other) == conditions(font)
        (theirs,) = forms(other)
        own.update(theirs)

    builder = OnlineVarStoreBuilder([axis[0] for axis in axes])
    subtable = class_subtable(pairs, order, builder)
    (kern,) = {r.FeatureTag for r in font["GPOS"].table.FeatureList.FeatureRecord}
    assert kern == "kern"
    lookups = font["GPOS"].table.LookupList
    lookup = lookups.Lookup[0]
    lookup.LookupType, lookup.SubTable, lookup.SubTableCount = 2, [subtable], 1
    lookups.Lookup, lookups.LookupCount = [lookup], 1
    for record in font["GPOS"].table.FeatureList.FeatureRecord:
        record.Feature.LookupListIndex, record.Feature.LookupCount = [0], 1
    store = builder.finish()
    moved = store.optimize()
    font["GPOS"].table.remap_device_varidxes(moved)
    gdef = font["GDEF"].table
    gdef.VarStore = store
    gdef.GlyphClassDef = None
    rebuild_advances(font)
    for record in font["name"].names:
        if record.nameID in (1, 16):
            record.string = "Fraunces Variable"
    font["OS/2"].recalcUnicodeRanges(font)
    font.flavor = None
    return font, pairs


if __name__ == "__main__":
    folder, static, target = map(Path, sys.argv[1:4])
    for style, suffix in (("normal", ""), ("italic", "-Italic")):
        pieces = [folder / f"fraunces-{piece}-full-{style}.woff2" for piece in PIECES]
        end = "_Italic" if suffix else ""
        statics = [path for path in sorted(static.glob("*/*.ttf")) if ("_Italic" in path.stem) == bool(end)]
        font, pairs = join(pieces, statics)
        path = target / f"FrauncesVariable{suffix}.ttf"
        font.save(path)
        print(path, path.stat().st_size, len(font.getGlyphOrder()), len(pairs), "pairs")
