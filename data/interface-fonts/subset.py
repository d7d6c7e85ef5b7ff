"""Makes the fonts of the interface from variable Inter and Fraunces SemiBold: Latin letters, and the signs of keys.

Usage: subset.py <InterVariable.ttf> <Fraunces_600SemiBold.ttf> <folder>, with fontTools 4.66.
"""

import sys

from fontTools.subset import Options, Subsetter
from fontTools.ttLib import TTFont
from fontTools.varLib.instancer import instantiateVariableFont

FEATURES = ["ccmp", "kern", "liga", "locl", "mark", "mkmk", "tnum"]
LATIN = [*range(0x20, 0x7F), *range(0xA0, 0x180), 0x2013, 0x2014, *range(0x2018, 0x201F), 0x2026]
SIGNS = [
    *[0x2C6, 0x2DA, 0x2DC, 0x2010, 0x2011, 0x2012, 0x2015, 0x2020, 0x2021, 0x2022, 0x2030, 0x2032, 0x2033],
    *[0x2039, 0x203A, 0x20AC, 0x2122, 0x21B5, 0x21E7, 0x2212, 0x2318, 0x2325, 0x232B],
    *range(0x2190, 0x2194),
    *range(0x2196, 0x219A),
]


def write(font, characters, path):
    options = Options(layout_features=FEATURES, hinting=False)
    subsetter = Subsetter(options)
    subsetter.populate(unicodes=characters)
    subsetter.subset(font)
    font.save(path)


inter, fraunces, folder = sys.argv[1:]
limited = f"{folder}/limited.ttf"
instantiateVariableFont(TTFont(inter), {"wght": (400, 400, 700), "opsz": 14}).save(limited)
write(TTFont(limited), LATIN + SIGNS, f"{folder}/inter.ttf")
write(TTFont(fraunces), LATIN, f"{folder}/fraunces.ttf")
