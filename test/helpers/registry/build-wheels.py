"""Makes wheels of the Python packages that Debian has installed: wheels.py FOLDER. Prints the names of the files."""

import base64
import glob
import hashlib
import os
import shutil
import subprocess
import sys
import zipfile
from email.parser import HeaderParser

SITE = "/usr/lib/python3/dist-packages/"
PACKAGES = "wheel pytest pluggy iniconfig packaging attr exceptiongroup tomli pygments".split()


def main(folder):
    for package in PACKAGES:
        listed = subprocess.run(["dpkg", "-L", "python3-" + package], capture_output=True, text=True)
        files = [f for f in listed.stdout.splitlines() if f.startswith(SITE) and os.path.isfile(f)]
        if files:
            print(wheel(folder, files))
    for ready in glob.glob("/usr/share/python-wheels/*.whl"):
        print(os.path.basename(shutil.copy(ready, folder)))


def wheel(folder, files):
    metadata = next(f for f in files if f.endswith(("-info/METADATA", "-info/PKG-INFO")))
    about = HeaderParser().parsestr(open(metadata, encoding="utf8").read())
    stem = about["Name"].replace("-", "_") + "-" + about["Version"]
    info = stem + ".dist-info/"
    contents = {f[len(SITE):]: open(f, "rb").read() for f in files if "-info/" not in f}
    contents[info + "METADATA"] = open(metadata, "rb").read()
    contents[info + "WHEEL"] = b"Wheel-Version: 1.0\nGenerator: dure-test\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
    for f in files:
        if f.endswith("-info/entry_points.txt"):
            contents[info + "entry_points.txt"] = open(f, "rb").read()
    record = [f"{name},{digest(data)},{len(data)}" for name, data in contents.items()]
    contents[info + "RECORD"] = "\n".join([*record, info + "RECORD,,", ""]).encode()
    name = stem + "-py3-none-any.whl"
    with zipfile.ZipFile(os.path.join(folder, name), "w", zipfile.ZIP_DEFLATED) as archive:
        for path, data in contents.items():
            archive.writestr(zipfile.ZipInfo(path, (2020, 1, 1, 0, 0, 0)), data)
    return name


def digest(data):
    return "sha256=" + base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()


main(sys.argv[1])
