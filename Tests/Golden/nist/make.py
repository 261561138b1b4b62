"""Writes strd.json: linear regressions of the Statistical Reference Datasets, for CertifiedRegressionTests.

    python3 -m venv venv && venv/bin/pip install mpmath && venv/bin/python make.py

Data and certified values: National Institute of Standards and Technology, Statistical Reference
Datasets, linear regression (public domain). Every set is solved here in exact rational arithmetic, and
the certified values must agree to their fifteen digits, so that a slip in copying either cannot stay.

What a double can give is computed as well, with 60 digits. With Z the standardised columns, beta their
coefficients, r the residuals and a the row that takes beta to a value in its own unit:

    sensitivity        |Z| (|a Z+| |beta| + |a (Z'Z)^-1| |r|) + |a Z+| |y|      perturbing Z and y
    gramSensitivity    |Z| |a (Z'Z)^-1| (|Z| |beta| + |y|)                      perturbing Z'Z and Z'y

each divided by the value: times the unit roundoff, the relative error of a solver by orthogonal
transformations, and of one by the equations of the columns.
"""

import csv
import json
import pathlib
import sys
from fractions import Fraction

import mpmath as mp

mp.mp.dps = 60
here = pathlib.Path(__file__).parent


def numbers(text):
    return [word for word in text.split()]


norris_x = numbers("""
    0.2 337.4 118.2 884.6 10.1 226.5 666.3 996.3 448.6 777.0 558.2 0.4 0.6 775.5 666.9 338.0 447.5 11.6
    556.0 228.1 995.8 887.6 120.2 0.3 0.3 556.8 339.1 887.2 999.0 779.0 11.1 118.3 229.2 669.1 448.9 0.5""")
norris_y = numbers("""
    0.1 338.8 118.1 888.0 9.2 228.1 668.5 998.5 449.1 778.9 559.2 0.3 0.1 778.1 668.8 339.3 448.9 10.8
    557.7 228.3 998.0 888.8 119.6 0.3 0.6 557.6 339.3 888.0 998.5 778.9 10.2 117.6 228.9 668.4 449.2 0.2""")
pontius_x = [str(150000 * k) for k in range(1, 21)] * 2
pontius_y = numbers("""
    .11019 .21956 .32949 .43899 .54803 .65694 .76562 .87487 .98292 1.09146 1.20001 1.30822 1.41599 1.52399
    1.63194 1.73947 1.84646 1.95392 2.06128 2.16844 .11052 .22018 .32939 .43886 .54798 .65739 .76596 .87474
    .98300 1.09150 1.20004 1.30818 1.41613 1.52408 1.63159 1.73965 1.84696 1.95445 2.06177 2.16829""")
filip_x = numbers("""
    -6.860120914 -4.324130045 -4.358625055 -4.358426747 -6.955852379 -6.661145254 -6.355462942 -6.118102026
    -7.115148017 -6.815308569 -6.519993057 -6.204119983 -5.853871964 -6.109523091 -5.79832982 -5.482672118
    -5.171791386 -4.851705903 -4.517126416 -4.143573228 -3.709075441 -3.499489089 -6.300769497 -5.953504836
    -5.642065153 -5.031376979 -4.680685696 -4.329846955 -3.928486195 -8.56735134 -8.363211311 -8.107682739
    -7.823908741 -7.522878745 -7.218819279 -6.920818754 -6.628932138 -6.323946875 -5.991399828 -8.781464495
    -8.663140179 -8.473531488 -8.247337057 -7.971428747 -7.676129393 -7.352812702 -7.072065318 -6.774174009
    -6.478861916 -6.159517513 -6.835647144 -6.53165267 -6.224098421 -5.910094889 -5.598599459 -5.290645224
    -4.974284616 -4.64454848 -4.290560426 -3.885055584 -3.408378962 -3.13200249 -8.726767166 -8.66695597
    -8.511026475 -8.165388579 -7.886056648 -7.588043762 -7.283412422 -6.995678626 -6.691862621 -6.392544977
    -6.067374056 -6.684029655 -6.378719832 -6.065855188 -5.752272167 -5.132414673 -4.811352704 -4.098269308
    -3.66174277 -3.2644011""")
filip_y = numbers("""
    0.8116 0.9072 0.9052 0.9039 0.8053 0.8377 0.8667 0.8809 0.7975 0.8162 0.8515 0.8766 0.8885 0.8859 0.8959
    0.8913 0.8959 0.8971 0.9021 0.909 0.9139 0.9199 0.8692 0.8872 0.89 0.891 0.8977 0.9035 0.9078 0.7675
    0.7705 0.7713 0.7736 0.7775 0.7841 0.7971 0.8329 0.8641 0.8804 0.7668 0.7633 0.7678 0.7697 0.77 0.7749
    0.7796 0.7897 0.8131 0.8498 0.8741 0.8061 0.846 0.8751 0.8856 0.8919 0.8934 0.894 0.8957 0.9047 0.9129
    0.9209 0.9219 0.7739 0.7681 0.7665 0.7703 0.7702 0.7761 0.7809 0.7961 0.8253 0.8602 0.8809 0.8301 0.8664
    0.8834 0.8898 0.8964 0.8963 0.9074 0.9119 0.9228""")

wampler_x = [str(x) for x in range(21)]
wampler_error = [
    759, -2048, 2048, -2048, 2523, -2048, 2048, -2048, 1838, -2048, 2048,
    -2048, 1838, -2048, 2048, -2048, 2523, -2048, 2048, -2048, 759]
wampler_deviations = [
    "2152.32624678170", "2363.55173469681", "779.343524331583", "101.475507550350", "5.64566512170752",
    "0.112324854679312"]


def wampler(number, factor):
    y = [sum(x**k for k in range(6)) + factor * e for x, e in enumerate(wampler_error)]
    scaled = [str(mp.mpf(d) * factor) for d in wampler_deviations]
    return dict(
        name=f"Wampler{number}", x=[[x] for x in wampler_x], powers=5, y=[str(v) for v in y],
        estimates=["1"] * 6, deviations=scaled if factor else ["0"] * 6,
        residual=str(mp.mpf("2360.14502379268") * factor))


def longley():
    with open(here / "longley.csv") as file:
        rows = list(csv.reader(file))[1:]
    return dict(
        name="Longley", x=[row[1:] for row in rows], powers=1, y=[row[0] for row in rows],
        estimates=["-3482258.63459582", "15.0618722713733", "-0.358191792925910E-01", "-2.02022980381683",
                   "-1.03322686717359", "-0.511041056535807E-01", "1829.15146461355"],
        deviations=["890420.383607373", "84.9149257747669", "0.334910077722432E-01", "0.488399681651699",
                    "0.214274163161675", "0.226073200069370", "455.478499142212"],
        residual="304.854073561965")


def column(values):
    return [[value] for value in values]


sets = [
    dict(name="Norris", x=column(norris_x), powers=1, y=norris_y,
         estimates=["-0.262323073774029", "1.00211681802045"],
         deviations=["0.232818234301152", "0.429796848199937E-03"], residual="0.884796396144373"),
    dict(name="Pontius", x=column(pontius_x), powers=2, y=pontius_y,
         estimates=["0.673565789473684E-03", "0.732059160401003E-06", "-0.316081871345029E-14"],
         deviations=["0.107938612033077E-03", "0.157817399981659E-09", "0.486652849992036E-16"],
         residual="0.205177424076185E-03"),
    dict(name="NoInt1", x=column(str(x) for x in range(60, 71)), powers=1, through_origin=True,
         y=[str(y) for y in range(130, 141)], estimates=["0", "2.07438016528926"],
         deviations=["0", "0.165289256198347E-01"], residual="3.56753034006338"),
    dict(name="NoInt2", x=column(["4", "5", "6"]), powers=1, through_origin=True, y=["3", "4", "4"],
         estimates=["0", "0.727272727272727"], deviations=["0", "0.420827318078432E-01"],
         residual="0.369274472937998"),
    dict(name="Filip", x=column(filip_x), powers=10, y=filip_y,
         estimates=["-1467.48961422980", "-2772.17959193342", "-2316.37108160893", "-1127.97394098372",
                    "-354.478233703349", "-75.1242017393757", "-10.8753180355343", "-1.06221498588947",
                    "-0.670191154593408E-01", "-0.246781078275479E-02", "-0.402962525080404E-04"],
         deviations=["298.084530995537", "559.779865474950", "466.477572127796", "227.204274477751",
                     "71.6478660875927", "15.2897178747400", "2.23691159816033", "0.221624321934227",
                     "0.142363763154724E-01", "0.535617408889821E-03", "0.896632837373868E-05"],
         residual="0.334801051324544E-02"),
    longley(),
    wampler(1, 0),
    dict(name="Wampler2", x=column(wampler_x), powers=5,
         y=[str(sum(Fraction(x, 10) ** k for k in range(6))) for x in range(21)],
         estimates=["1", ".1", ".01", ".001", ".0001", ".00001"], deviations=["0"] * 6, residual="0"),
    wampler(3, 1), wampler(4, 100), wampler(5, 10000)]


def solve(matrix, right):
    """The exact solution of equations of fractions, by elimination."""
    rows = [row[:] + [value] for row, value in zip(matrix, right)]
    n = len(rows)
    for j in range(n):
        pivot = next(i for i in range(j, n) if rows[i][j] != 0)
        rows[j], rows[pivot] = rows[pivot], rows[j]
        rows[j] = [value / rows[j][j] for value in rows[j]]
        for i in range(n):
            if i != j and rows[i][j] != 0:
                rows[i] = [a - rows[i][j] * b for a, b in zip(rows[i], rows[j])]
    return [row[n] for row in rows]


def real(fraction):
    return mp.mpf(fraction.numerator) / fraction.denominator


def agrees(certified, exact):
    """Whether a certified value is the exact one to its fifteen digits."""
    certified = mp.mpf(certified)
    return abs(certified - exact) <= mp.mpf("1.01e-14") * abs(exact)


def examine(entry):
    through_origin = entry.get("through_origin", False)
    x = [[Fraction(value) for value in row] for row in entry["x"]]
    y = [Fraction(value) for value in entry["y"]]
    design = [[row[0] ** k for k in range(1, entry["powers"] + 1)] if len(row) == 1 else row for row in x]
    full = design if through_origin else [[Fraction(1)] + row for row in design]
    n, p = len(full), len(full[0])
    gram = [[sum(row[i] * row[j] for row in full) for j in range(p)] for i in range(p)]
    exact = solve(gram, [sum(row[i] * value for row, value in zip(full, y)) for i in range(p)])
    residuals = [value - sum(a * b for a, b in zip(row, exact)) for row, value in zip(full, y)]
    variance = sum(r * r for r in residuals) / (n - p)
    unit = [[Fraction(int(i == j)) for i in range(p)] for j in range(p)]
    deviations = [mp.sqrt(real(variance * solve(gram, unit[j])[j])) for j in range(p)]
    values = [real(b) for b in exact]
    if through_origin:
        values, deviations = [mp.mpf(0)] + values, [mp.mpf(0)] + deviations
    for certified, value in zip(entry["estimates"], values):
        assert agrees(certified, value), (entry["name"], certified, value)
    for certified, value in zip(entry["deviations"], deviations):
        assert agrees(certified, value), (entry["name"], certified, value)
    assert agrees(entry["residual"], mp.sqrt(real(variance))), entry["name"]

    # A line through the origin is that of the rows and their mirror images, whose means are zero.
    rows = design + [[-v for v in row] for row in design] if through_origin else design
    targets = y + [-v for v in y] if through_origin else y
    n, p = len(rows), len(rows[0])
    means = [sum(row[j] for row in rows) / n for j in range(p)]
    mean = real(sum(targets) / n)
    scales = [mp.sqrt(real(sum((row[j] - means[j]) ** 2 for row in rows) / n)) for j in range(p)]
    z = mp.matrix(n, p)
    for i in range(n):
        for j in range(p):
            z[i, j] = real(rows[i][j] - means[j]) / scales[j]
    inverse = (z.T * z) ** -1
    pseudo = inverse * z.T
    beta = mp.matrix([values[j + 1] * scales[j] for j in range(p)])
    centred = mp.matrix([real(v) - mean for v in targets])
    rest = centred - z * beta
    singular = sorted((mp.sqrt(abs(e)) for e in mp.eigsy(z.T * z, eigvals_only=True)), reverse=True)
    size = singular[0]
    maps = [mp.matrix([[-real(means[j]) / scales[j] for j in range(p)]])]
    maps += [mp.matrix([[1 / scales[j] if i == j else 0 for i in range(p)]]) for j in range(p)]
    sensitivities, gram_sensitivities = [], []
    for place, (a, value) in enumerate(zip(maps, values)):
        by_pseudo, by_inverse = mp.norm(a * pseudo), mp.norm(a * inverse)
        direct = size * (by_pseudo * mp.norm(beta) + by_inverse * mp.norm(rest)) + by_pseudo * mp.norm(centred)
        squared = size * by_inverse * (size * mp.norm(beta) + mp.norm(centred))
        rounding = sum(abs(a[j] * beta[j]) for j in range(p)) + (abs(mean) if place == 0 else 0)
        sensitivities.append(float((direct + rounding) / abs(value)) if value else 0)
        gram_sensitivities.append(float((squared + rounding) / abs(value)) if value else 0)
    # What cancels when a residual is taken in the columns' own units.
    terms = abs(values[0]) * mp.sqrt(n) + mp.norm(centred)
    for j in range(p):
        terms += abs(values[j + 1]) * mp.sqrt(real(sum(row[j] ** 2 for row in rows)))
    return dict(
        name=entry["name"], powers=entry["powers"], throughOrigin=through_origin,
        x=[[float(v) for v in row] for row in x], y=[float(v) for v in y],
        estimates=[float(v) for v in entry["estimates"]],
        deviations=[float(v) for v in entry["deviations"]], residual=float(entry["residual"]),
        condition=float(singular[0] / singular[-1]), sensitivities=sensitivities,
        gramSensitivities=gram_sensitivities, residualTerms=float(terms))


document = dict(
    madeWith=f"Python {sys.version.split()[0]}, mpmath {mp.__version__}", sets=[examine(entry) for entry in sets])
lines = ",\n".join("  " + json.dumps(entry) for entry in document["sets"])
(here / "strd.json").write_text(
    '{"madeWith": %s,\n "sets": [\n%s\n ]}\n' % (json.dumps(document["madeWith"]), lines))
for entry in document["sets"]:
    digits = [-mp.log10(mp.mpf(2) ** -52 * s) for s in entry["sensitivities"] if s]
    print(f"{entry['name']:10} condition {entry['condition']:.3g}, least digits {float(min(digits)):.1f}")
