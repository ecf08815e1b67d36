"""What the papers print, to stand beside what we find.

Names on the left are the papers', files are those of the data folder; the papers do not say which
classes they kept of the multi-class sets (anneal, autos, glass, segment, vehicle).
"""

from __future__ import annotations

FILES = {
    "anneal": "anneal-12",
    "autos": "autos-23",
    "glass": "glass-12",
    "segment": "segment-12",
    "vehicle": "vehicle-23",
}

# "Efficient Kernel Selection via Spectral Analysis", Table 2: mean test error, its deviation (%).
SM_METHODS = ("SM", "CV", "ELOO", "CKTA", "FSM", "ER")
_SM_ERRORS = """
a1a 16.84 1.39 17.02 1.57 16.88 1.41 18.86 1.49 24.72 1.67 16.97 1.52
a2a 17.78 1.28 17.96 1.25 17.94 1.27 18.52 1.26 25.62 1.47 18.99 1.37
anneal 2.69 3.28 3.81 4.11 2.69 3.28 4.75 4.78 5.13 4.18 5.50 4.95
australian 13.71 2.10 13.84 2.18 13.82 2.04 13.91 1.89 44.71 2.47 13.53 2.06
autos 11.81 11.67 11.81 11.67 12.75 11.06 13.71 12.03 12.71 8.06 12.14 11.51
breast-w 3.27 1.01 3.56 1.16 3.59 1.08 3.51 1.05 3.50 1.05 4.26 1.40
breast-cancer 3.18 1.15 3.63 1.16 3.50 1.23 3.63 1.16 3.60 1.14 4.04 1.12
bupa 30.29 3.48 29.10 4.04 30.31 4.27 35.81 3.45 39.77 3.68 29.13 4.46
colic 15.62 3.00 16.47 2.78 15.73 2.97 19.27 2.58 36.42 3.28 17.35 3.09
diabetes 24.22 2.41 24.69 2.71 23.51 2.75 24.85 2.46 35.30 3.00 23.90 2.48
glass 22.09 5.07 21.82 5.68 20.95 4.82 26.41 7.13 43.00 9.22 22.50 5.08
german.numer 24.09 2.15 25.28 2.38 23.81 2.26 26.02 2.16 29.89 2.41 25.33 2.14
heart 16.53 3.27 16.69 3.36 15.95 3.29 18.67 3.78 44.37 5.50 15.98 3.47
hepatitis 15.57 4.68 17.09 5.74 16.63 4.64 15.74 5.00 21.22 5.41 18.91 6.20
ionosphere 4.88 2.10 5.28 2.11 6.42 2.17 11.70 3.43 35.77 4.00 4.86 1.99
labor 13.65 8.10 14.47 8.08 14.82 8.34 15.41 8.80 34.59 8.70 18.82 8.81
pima 23.80 2.14 22.78 2.36 22.51 2.41 24.38 2.28 34.47 2.42 22.78 2.07
segment 0.01 0.00 0.06 0.24 0.20 0.04 0.32 0.03 0.21 0.01 0.24 0.04
liver-disorders 31.94 3.21 29.00 4.11 30.02 4.76 36.27 3.93 40.90 4.10 29.69 4.97
sonar 15.06 4.80 14.26 4.93 13.68 4.43 15.00 5.51 49.32 6.93 18.84 5.75
vehicle 3.02 1.79 3.33 1.77 3.02 1.79 3.77 1.51 53.32 3.38 5.52 2.44
vote 4.31 1.71 4.78 1.74 4.82 1.73 5.25 1.72 6.37 3.96 7.80 2.33
wpbc 23.10 4.58 22.83 4.32 21.93 4.45 21.87 4.13 22.13 4.19 21.87 4.13
tic-tac-toe 10.10 1.93 10.28 1.66 9.78 1.66 33.62 5.31 34.44 2.04 14.62 2.05
wdbc 2.29 1.15 2.43 1.07 2.73 1.11 2.82 1.20 37.49 3.83 4.75 1.66
"""

# The same paper, Table 3: run time in seconds.
_SM_SECONDS = """
a1a 63.77 704.50 217.03 87.51 79.71 422.71
a2a 124.53 1995.76 810.87 172.28 156.68 1558.70
anneal 0.28 4.60 0.84 0.43 0.55 1.36
australian 8.30 111.31 30.33 11.34 9.51 52.53
autos 0.10 2.18 0.23 0.17 0.29 0.37
breast-cancer 8.05 104.55 27.13 11.10 9.36 47.68
breast-w 8.59 105.39 29.77 11.80 10.11 49.86
colic 1.55 25.72 6.52 2.15 2.17 11.60
glass 0.33 5.74 1.15 0.53 0.66 2.00
heart 1.02 14.71 3.66 1.12 1.20 6.33
hepatitis 0.38 6.55 1.42 0.58 0.70 2.44
ionosphere 1.59 24.60 6.08 2.03 2.06 10.60
labor 0.16 2.88 0.42 0.28 0.42 0.67
pima 10.99 137.19 36.60 15.11 12.74 62.45
segment 7.50 91.73 23.83 10.49 8.93 42.63
diabetes 10.70 134.71 36.26 14.90 12.51 62.46
german.numer 21.80 249.98 72.63 29.59 26.27 127.51
liver-disorders 1.37 21.04 5.46 1.91 1.94 9.27
sonar 0.62 10.53 2.34 0.87 0.98 4.06
vehicle 2.03 35.64 9.35 2.86 2.85 15.95
vote 2.03 34.43 9.33 2.79 2.81 15.92
wpbc 0.52 9.06 2.07 0.76 0.92 3.33
bupa 1.36 21.09 5.34 1.85 1.88 9.19
tic-tac-toe 18.93 224.13 63.10 26.13 23.04 107.12
wdbc 5.75 61.32 19.18 7.86 6.80 33.65
"""


def _table(text: str) -> dict[str, list[float]]:
    lines = (line.split() for line in text.strip().splitlines())
    return {name: [float(value) for value in values] for name, *values in lines}


SM_ERRORS = {
    name: dict(zip(SM_METHODS, values[::2], strict=True))
    for name, values in _table(_SM_ERRORS).items()
}
SM_SECONDS = {
    name: dict(zip(SM_METHODS, values, strict=True)) for name, values in _table(_SM_SECONDS).items()
}

# "Preventing Over-Fitting of Cross-Validation with Kernel Stability", Table 1: what can be read in
# our copy, where most middle columns are lost. (lambda, set) -> method -> mean test error in %.
KS_METHODS = ("5-CV", "5-KS", "10-CV", "10-KS", "ELOO", "BR", "EP")
KS_FILES = {
    "australian": "australian",
    "heart": "heart",
    "ionosphere": "ionosphere",
    "breast": "breast-cancer",
    "diabetes": "diabetes",
    "german": "german.numer",
    "liver": "liver-disorders",
    "sonar": "sonar",
    "a2a": "a2a",
}
_KS_READABLE = """
1e-4 australian - - - - - 14.30 14.15
1e-4 heart - - - - - 18.52 17.83
1e-4 ionosphere 4.76 - 4.67 4.35 5.33 5.13 6.76
1e-4 breast 3.61 3.41 3.51 3.45 3.41 3.41 5.27
1e-4 diabetes - - - - - 22.96 30.26
1e-4 german - - - - - 24.60 29.67
1e-4 liver - - - - - 26.73 30.08
1e-4 sonar - - - - - 12.90 17.74
1e-4 a2a 18.44 17.14 - - 17.91 17.34 18.92
1e-3 australian - - - - - 13.43 16.29
1e-3 heart - - - - - 14.07 20.77
1e-3 ionosphere 5.33 3.81 5.33 4.38 6.48 6.48 5.38
1e-3 breast 3.61 - 3.51 3.22 3.32 3.32 5.56
1e-3 diabetes - - - - - 23.22 26.52
1e-3 german - - - - - 24.67 25.13
1e-3 liver - - - - - 26.82 28.46
1e-3 sonar - - - - - 13.83 13.90
1e-3 a2a - - - - - 16.94 19.71
1e-2 australian - - - - - 14.01 16.54
1e-2 heart - - - - - 17.78 19.74
1e-2 ionosphere 4.95 4.38 - 5.14 5.14 5.14 9.52
1e-2 breast 3.51 3.46 - 3.80 3.75 3.41 7.02
1e-2 diabetes - - - - - 23.83 25.83
1e-2 german - - - - - 26.25 28.67
1e-2 liver - - - - - 28.65 29.42
1e-2 sonar - - - - - 11.94 14.74
1e-2 a2a - - - - - 18.41 20.15
1e-1 australian 14.30 13.53 14.30 14.20 13.91 13.41 14.54
1e-1 heart 19.51 19.26 19.26 18.26 19.51 19.26 22.65
1e-1 ionosphere 12.76 8.38 9.14 8.28 9.33 9.14 12.95
1e-1 breast 3.92 3.22 3.62 3.12 3.41 3.21 4.98
1e-1 diabetes - 29.83 - - - - -
1e-1 german - - - - - 29.40 31.40
1e-1 liver - - - - - 38.65 33.08
1e-1 sonar - - - - - 26.77 27.10
1e-1 a2a 24.68 22.18 25.68 22.68 24.68 24.31 23.21
"""
KS_ERRORS = {
    (float(lam), name): {m: float(v) for m, v in zip(KS_METHODS, values, strict=True) if v != "-"}
    for lam, name, *values in (line.split() for line in _KS_READABLE.strip().splitlines())
}

# "Comparative study of universal kernel evaluation measures", Table 5: chosen kernel, error in %.
SURVEY_MEASURES = ("KTA", "EKTA", "CKTA", "FSM", "KCSM")
_SURVEY = """
breast-w|Breast|P3 3.72|P1 3.86|P2 3.86|R1 4.58|P1 3.86|3.72
diabetes|Diabetes|R1 23.42|R1 23.42|R1 23.42|R0.1 34.89|P1 21.47|21.47
ionosphere|Ionosphere|R2 5.13|R2 5.13|R2 5.13|R0.1 35.35|R4 5.69|5.13
monks-1|Monks 1|P4 4.84|P4 4.84|P4 4.84|R0.1 31.30|R32, P1 31.30|0.00
monks-2|Monks 2|R32 34.29|R1 4.15|R1 4.15|R0.1 17.31|P2 20.80|1.33
monks-3|Monks 3|P1 19.85|P1 19.85|R4 3.07|R0.1 32.10|P1 19.85|1.26
balance/1/2|B_L|R4 3.26|R0.1 14.59|R1 2.98|R0.1 14.59|R8, R16, R32, P1 6.80|0.60
balance/1/3|B_R|R4 4.14|R0.1 14.55|R1 2.96|R0.1 14.55|R8, R16, R32, P1 7.68|0.00
balance/2/3|L_R|P1 4.17|P1 4.17|R4 0.00|R0.1 49.69|P1 4.17|0.00
iris/1/2|Setosa_Versicolor|P1 0.00|P1 0.00|R2 0.00|R1 0.00|P1 0.00|0.00
iris/1/3|Setosa_Virginica|P1 0.00|P1 0.00|R2 0.00|R2 0.00|P1 0.00|0.00
iris/2/3|Versicolor_Virginica|P2 6.00|P2 6.00|R2 6.00|R0.1 39.00|P1 3.00|3.00
vehicle/1/3|Bus_Opel|R1 1.63|R1 1.63|R1 1.63|R0.1 50.70|R2 0.23|0.00
vehicle/2/3|Bus_Saab|R1 0.92|R1 0.92|R1 0.92|R0.1 49.60|R2, R4 0.69|0.00
vehicle/3/4|Bus_Van|R1 1.44|R1 1.44|R1 1.44|R0.1 47.22|R32, P1 1.44|0.00
vehicle/1/2|Opel_Saab|R0.1 55.28|R0.1 55.28|R0.1 55.28|R0.1 55.28|R1 41.03|25.39
vehicle/1/4|Opel_Van|R1 4.13|R1 4.13|R2 2.43|R0.1 47.92|P1 1.95|0.00
vehicle/2/4|Saab_Van|R1 2.89|R1 2.89|R2 2.40|R0.1 47.32|R32 5.30|0.00
"""
SURVEY_LINES = [line.split("|") for line in _SURVEY.strip().splitlines()]
SURVEY_NAMES = {line[0]: line[1] for line in SURVEY_LINES}
SURVEY_ERRORS = {
    line[0]: dict(zip((*SURVEY_MEASURES, "BEST"), line[2:], strict=True)) for line in SURVEY_LINES
}

# "Infinite Kernel Learning: Generalization Bounds and Algorithms", Table 1: test accuracy in %.
PEP_METHODS = (
    *("IFKL", "FKL", "CABMKL linear", "CABMKL conic", "SimpleMKL", "GMKL"),
    *("NLMKL p=1", "NLMKL p=2", "GLMKL p=1", "GLMKL p=2", "IKL"),
)
_PEP = """
australian 85.87 85.85 84.41 85.69 85.39 85.40 85.35 84.70 85.46 85.39 85.78
a2a 81.14 80.87 80.12 74.42 80.53 80.56 79.16 79.07 80.71 80.82 80.84
diabetes 76.25 76.19 75.19 75.55 75.71 75.71 74.57 73.94 75.81 75.77 76.02
german.numer 74.88 74.32 71.94 73.77 73.99 73.99 73.55 72.45 74.07 73.77 74.83
heart 82.27 82.15 82.02 82.05 81.53 82.12 81.51 80.17 82.10 82.07 82.12
ionosphere 93.67 93.66 91.57 91.59 91.53 91.52 91.53 91.65 91.50 91.08 93.63
liver-disorders 71.25 70.52 68.50 69.04 66.92 70.52 68.61 68.55 64.57 66.97 70.58
sonar 84.90 82.53 81.99 81.99 82.15 82.15 81.25 81.89 82.24 81.86 83.04
splice 85.48 85.46 84.20 84.20 84.31 84.55 83.45 83.69 85.40 53.29 85.46
svmguide3 82.96 82.83 80.76 80.34 82.81 82.81 82.19 82.53 82.75 80.23 82.83
"""
PEP_ACCURACIES = {
    name: dict(zip(PEP_METHODS, values, strict=True)) for name, values in _table(_PEP).items()
}

# The same table's line for 20 Newsgroups: the chosen kernel and the error on the test part.
SURVEY_NEWSGROUPS = {
    "KTA": "P1 24.03",
    "EKTA": "P1 24.03",
    "CKTA": "P1 24.03",
    "FSM": "R0.1 94.69",
    "KCSM": "P1 24.03",
    "BEST": "24.03",
}
