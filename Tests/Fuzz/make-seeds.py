#!/usr/bin/env python3
"""Writes the binary seeds beside it: Corpus/zip, small archives of every kind a person may have, and
Corpus/tzif, a zone with three transitions and a rule, in versions 1 and 2.

zip64.zip carries the zip64 extra field and end records although it is small; encrypted.zip has the flag
of encryption set; cut.zip lacks its second half; nested.zip holds a zip.
"""

import io
import pathlib
import struct
import zipfile
import zlib

CORPUS = pathlib.Path(__file__).parent / "Corpus"
FOLDER = CORPUS / "zip"
EXPORT = (CORPUS / "apple-health" / "plain.xml").read_bytes()
CSV = b"date,steps\n2024-05-01,8000\n"
NAME = b"apple_health_export/export.xml"
WHEN = (2024, 5, 2, 9, 30, 0)


def write(name, members, method):
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for path, content in members:
            archive.writestr(zipfile.ZipInfo(path, WHEN), content, compress_type=method)
    (FOLDER / name).write_bytes(buffer.getvalue())
    return buffer.getvalue()


def zip64(content):
    """One stored member whose sizes stand in zip64 fields only, and zip64 end records."""
    crc, size = zlib.crc32(content), len(content)
    fields = struct.pack("<HHHHHLLL", 45, 0, 0, 0x4BC0, 0x58A2, crc, 0xFFFFFFFF, 0xFFFFFFFF)
    local_extra = struct.pack("<HHQQ", 1, 16, size, size)
    local = b"PK\3\4" + fields + struct.pack("<HH", len(NAME), len(local_extra)) + NAME + local_extra
    extra = struct.pack("<HHQQQ", 1, 24, size, size, 0)
    central = b"PK\1\2" + struct.pack("<H", 45) + fields
    central += struct.pack("<HHHHHLL", len(NAME), len(extra), 0, 0, 0, 0, 0xFFFFFFFF) + NAME + extra
    at = len(local) + size
    end64 = b"PK\6\6" + struct.pack("<QHHLLQQQQ", 44, 45, 45, 0, 0, 1, 1, len(central), at)
    locator = b"PK\6\7" + struct.pack("<LQL", 0, at + len(central), 1)
    end = b"PK\5\6" + struct.pack("<HHHHLLH", 0, 0, 0xFFFF, 0xFFFF, 0xFFFFFFFF, 0xFFFFFFFF, 0)
    return local + content + central + end64 + locator + end


def zone(version):
    times = [-1_693_706_400, 1_711_846_800, 1_729_990_800]
    letters = b"LMT\0CEST\0CET\0"

    def block(letter):
        header = b"TZif" + version + bytes(15) + struct.pack(">6L", 0, 0, 0, len(times), 3, len(letters))
        types = struct.pack(">lBB", 3208, 0, 0) + struct.pack(">lBB", 7200, 1, 4) + struct.pack(">lBB", 3600, 0, 9)
        return header + struct.pack(f">{len(times)}{letter}", *times) + bytes([2, 1, 2]) + types + letters

    if version == b"\0":
        return block("l")
    return block("l") + block("q") + b"\nCET-1CEST,M3.5.0,M10.5.0/3\n"


def main():
    FOLDER.mkdir(parents=True, exist_ok=True)
    (CORPUS / "tzif").mkdir(parents=True, exist_ok=True)
    (CORPUS / "tzif" / "version1").write_bytes(zone(b"\0"))
    (CORPUS / "tzif" / "version2").write_bytes(zone(b"2"))
    write("stored.zip", [("export.xml", EXPORT[:700] + b"</HealthData>")], zipfile.ZIP_STORED)
    whole = write("deflated.zip", [(NAME.decode(), EXPORT), ("a/cda.xml", b"<x/>")], zipfile.ZIP_DEFLATED)
    write("tables.zip", [("a.csv", CSV), ("b.csv", b"\n"), ("c/", b"")], zipfile.ZIP_DEFLATED)
    write("nested.zip", [("inner.zip", whole)], zipfile.ZIP_STORED)
    (FOLDER / "zip64.zip").write_bytes(zip64(CSV))
    (FOLDER / "cut.zip").write_bytes(whole[: len(whole) // 2])
    locked = bytearray(whole)
    locked[6] |= 1
    locked[locked.index(b"PK\1\2") + 8] |= 1
    (FOLDER / "encrypted.zip").write_bytes(locked)


main()
