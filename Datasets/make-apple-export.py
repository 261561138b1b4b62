#!/usr/bin/env python3
"""Writes an Apple Health export.xml of a given size: made up, the same bytes for the same seed.

Usage: make-apple-export.py MEGABYTES [SEED] > export.xml

Ten years of heart rate, active and basal energy, steps of a watch and a phone that overlap, heart-rate
variability, resting heart rate and sleep stages, grouped by type as genuine exports are, with their
long device descriptions; one record in 97 is written twice. What comes out is for measuring speed and
memory and is not kept.
"""

import datetime
import random
import sys

DEVICE = (
    "&lt;&lt;HKDevice: 0x0&gt;, name:Apple Watch, manufacturer:Apple Inc., model:Watch, "
    "hardware:Watch6,7, software:10.2&gt;"
)
HEAD = """<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE HealthData [
<!-- HealthKit Export Version: 13 -->
<!ELEMENT HealthData (ExportDate,Me,(Record|Correlation|Workout|ActivitySummary)*)>
<!ATTLIST HealthData locale CDATA #REQUIRED>
]>
<HealthData locale="en_GB">
 <ExportDate value="2024-05-02 09:30:00 +0200"/>
"""
# Type, unit, share of the file, seconds between records, length in seconds, values.
TYPES = [
    ("QuantityTypeIdentifierHeartRate", "count/min", 0.35, 300, 0, (48, 140)),
    ("QuantityTypeIdentifierActiveEnergyBurned", "kcal", 0.25, 400, 60, (0.1, 9)),
    ("QuantityTypeIdentifierBasalEnergyBurned", "kcal", 0.15, 700, 600, (8, 18)),
    ("QuantityTypeIdentifierStepCount", "count", 0.15, 500, 240, (4, 300)),
    ("QuantityTypeIdentifierHeartRateVariabilitySDNN", "ms", 0.03, 9000, 60, (15, 110)),
    ("QuantityTypeIdentifierRestingHeartRate", "count/min", 0.01, 86400, 0, (45, 65)),
    ("CategoryTypeIdentifierSleepAnalysis", "", 0.06, 1500, 1500, None),
]
STAGES = ["AsleepCore", "AsleepDeep", "AsleepREM", "Awake", "InBed"]


def main():
    size = int(sys.argv[1]) * 1_000_000
    random.seed(int(sys.argv[2]) if len(sys.argv) > 2 else 1)
    out = sys.stdout
    out.reconfigure(encoding="utf-8")
    out.write(HEAD)
    for kind, unit, share, step, length, values in TYPES:
        budget = size * share
        # The step shrinks with the size, so that every size covers the same ten years.
        count = max(1, int(budget / 420))
        step = min(step, int(10 * 365.25 * 86400 / count) or 1)
        moment = datetime.datetime(2014, 5, 1)
        while budget > 0:
            moment += datetime.timedelta(seconds=random.randint(step // 2, step + step // 2 + 1))
            if values is None:
                value = "HKCategoryValueSleepAnalysis" + random.choice(STAGES)
                if 10 <= moment.hour < 22:
                    moment = moment.replace(hour=22)
            else:
                value = str(round(random.uniform(*values), 2))
            source = "Person’s Apple Watch"
            if kind.endswith("StepCount") and random.random() < 0.4:
                source = "Person’s iPhone"
            end = moment + datetime.timedelta(seconds=length)
            line = (
                f' <Record type="HK{kind}" sourceName="{source}" sourceVersion="10.2" '
                f'device="{DEVICE}" unit="{unit}" creationDate="{end} +0200" '
                f'startDate="{moment} +0200" endDate="{end} +0200" value="{value}"/>\n'
            )
            copies = 2 if random.randrange(97) == 0 else 1
            budget -= (len(line) + 2) * copies
            out.write(line * copies)
    out.write("</HealthData>\n")


main()
