/**
 * Defines two Python programs that create a virtual environment in their working directory. The first
 * installs the requirements from manifests alone; its argument is the request. Packages missing from the
 * indexes come from the Python that runs the program, through plain path lines in a `.pth` file, so that no
 * other `.pth` file is read and an editable install of the project in that Python has no effect. The second
 * program adds the project itself; its arguments are the folder in which the environment was created, and the request.
 */

import { quoteWord } from '../../../formats/text/shell-words.ts';
import type { PipRequest } from './parse-pip-commands.ts';

const COMMON = String.raw`
import configparser, json, os, re, subprocess, sys

tree = os.getcwd()
bin = os.path.join(tree, ".venv", "bin")
python = os.path.join(bin, "python")

def header():
    if " " not in python and len(python) < 120:
        return "#!%s\n" % python
    return "#!/bin/sh\n'''exec' \"%s\" \"$0\" \"$@\"\n' '''\n" % python

def program(name, reference):
    module, _, attribute = reference.split("[")[0].strip().partition(":")
    path = os.path.join(bin, name)
    if os.path.exists(path) or not attribute or os.path.basename(name) != name:
        return
    with open(path, "w") as file:
        file.write("%simport sys\nfrom %s import %s\nsys.exit(%s())\n"
                   % (header(), module, attribute.split(".")[0], attribute))
    os.chmod(path, 0o755)

def site_folder():
    return subprocess.check_output(
        [python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"], text=True).strip()

def pip(*words):
    return subprocess.run([python, "-m", "pip", "install", "--disable-pip-version-check", "-q", *words],
                          capture_output=True, text=True)

def read_toml(path):
    try:
        import tomllib as toml
    except ImportError:
        from pip._vendor import tomli as toml
    try:
        with open(path, "rb") as file:
            return toml.load(file)
    except Exception:
        return {}

pyproject = read_toml("pyproject.toml")
project = pyproject.get("project", {})
cfg = configparser.ConfigParser(interpolation=None)
try:
    cfg.read("setup.cfg")
except configparser.Error:
    pass
`;

/** Returns the command that runs the first program. Run it in the folder with the project's manifests. */
export const installRequirements = (request: PipRequest): string =>
  program(INSTALL_REQUIREMENTS, quoteWord(JSON.stringify(request)));

/** Returns the command that runs the second program. `madeIn` is a quoted shell word. */
export const addProject = (madeIn: string, request: PipRequest): string =>
  program(ADD_PROJECT, `${madeIn} ${quoteWord(JSON.stringify(request))}`);

const program = (text: string, args: string): string =>
  `python3 - ${args} <<'END_OF_PROGRAM'\n${text}\nEND_OF_PROGRAM\n`;

const INSTALL_REQUIREMENTS = `${COMMON}${String.raw`
import venv
from importlib import metadata

wanted = json.loads(sys.argv[1])
try:
    venv.EnvBuilder(with_pip=True, symlinks=True, clear=True).create(".venv")
except subprocess.CalledProcessError:
    venv.EnvBuilder(with_pip=False, symlinks=True, clear=True).create(".venv")
groups = pyproject.get("dependency-groups", {})

def of_group(name, seen=()):
    for one in groups.get(name, []):
        if isinstance(one, str):
            yield one
        elif one.get("include-group") not in (None, *seen):
            yield from of_group(one["include-group"], (*seen, name))

def of_file(path, seen=()):
    try:
        lines = open(path).read().replace("\\\n", " ").splitlines()
    except OSError:
        return
    for line in lines:
        line = re.sub(r"(^|\s)#.*$", "", line).strip()
        other = re.match(r"(?:-r|--requirement)[ =]?\s*(\S+)", line)
        if other and path not in seen:
            yield from of_file(os.path.join(os.path.dirname(path), other.group(1)), (*seen, path))
        elif re.match(r"[A-Za-z]", line):
            yield line.split(" --hash")[0]

def lines(section, key):
    return [line.strip() for line in cfg.get(section, key, fallback="").splitlines() if line.strip()]

own = re.compile(r"%s\s*(\[|$)" % re.escape(project.get("name", "-")), re.I)
builds = pyproject.get("build-system", {}).get("requires", ["setuptools"]) if wanted["editable"] else []
if any(re.match("setuptools", one) for one in builds):
    # Versions of setuptools before 70.1 need wheel for builds.
    builds = [*builds, "wheel"]
extras = [*wanted["extras"]]
def of_extra(extra, seen=()):
    for one in [*project.get("optional-dependencies", {}).get(extra, []), *lines("options.extras_require", extra)]:
        inner = re.match(r"%s\s*\[([^\]]*)\]" % re.escape(project.get("name", "-")), one, re.I)
        if inner:
            for name in inner.group(1).split(","):
                if name.strip() not in (*seen, extra):
                    yield from of_extra(name.strip(), (*seen, extra))
        else:
            yield one
of_project = [*project.get("dependencies", []), *lines("options", "install_requires")] if wanted["editable"] else []
requirements = [one for one in dict.fromkeys([
    *builds, *of_project, *(r for extra in extras for r in of_extra(extra)),
    *(r for group in wanted["groups"] for r in of_group(group)),
    *(r for file in wanted["requirements"] for r in of_file(file)), *wanted["others"],
]) if not own.match(one)]

def is_among(packages, requirement):
    try:
        from pip._vendor.packaging.requirements import Requirement
        asked = Requirement(requirement)
        return not asked.extras and any(
            asked.specifier.contains(one.version, prereleases=True)
            for one in metadata.distributions(name=asked.name, path=packages))
    except Exception:
        return False

at_once = pip(*requirements) if requirements else None
if at_once is not None and at_once.returncode != 0:
    print("\n".join((at_once.stderr or at_once.stdout).strip().splitlines()[-3:]))
    print("The package indexes do not provide all requirements. Missing packages are taken from the Python on PATH,"
          " if it has them.")
    found = [os.path.realpath(p) for p in sys.path if p.rstrip("/").endswith(("site-packages", "dist-packages"))]
    packages = [p for p in dict.fromkeys(found) if os.path.isdir(p)]
    # .pth files are read in alphabetical order: the sources of the tree come before these packages.
    with open(os.path.join(site_folder(), "~packages_of_the_machine.pth"), "w") as file:
        file.write("\n".join(packages) + "\n")
    # Short timeouts, so that an unreachable index does not delay each requirement.
    briefly = ("--retries", "0", "--timeout", "5")
    missing, other_version = [], []
    for requirement in requirements:
        if is_among(packages, requirement) or pip(*briefly, requirement).returncode == 0:
            continue
        name = re.match(r"[A-Za-z0-9._-]+(\[[^\]]*\])?", requirement)
        if name and name.group(0) != requirement and pip(*briefly, name.group(0)).returncode == 0:
            other_version.append(requirement)
        else:
            missing.append(requirement)
    if other_version:
        print("Installed, but not in the requested version: " + ", ".join(other_version))
    with open(os.path.join(".venv", "partial.json"), "w") as file:
        json.dump({"missing": missing, "other_version": other_version}, file)
    for distribution in metadata.distributions(path=packages):
        for entry in distribution.entry_points:
            if entry.group == "console_scripts":
                program(entry.name, entry.value)
with open(os.path.join(".venv", "made-in.txt"), "w") as file:
    file.write(tree)
`}`;

const ADD_PROJECT = `${COMMON}${String.raw`
before = os.path.join(sys.argv[1], ".venv").encode()
now = os.path.join(tree, ".venv").encode()
for folder in [bin, os.path.join(tree, ".venv")]:
    for name in os.listdir(folder):
        path = os.path.join(folder, name)
        if os.path.islink(path) or not os.path.isfile(path):
            continue
        data = open(path, "rb").read()
        if before not in data or b"\0" in data:
            continue
        first = re.match(rb"#!/bin/sh\n'''exec'[^\n]*\n' '''\n|#![^\n]*python[^\n]*\n", data)
        if first and before in first.group(0):
            data = header().encode() + data[first.end():]
        with open(path, "wb") as file:
            file.write(data.replace(before, now))

options = json.loads(sys.argv[2])
if options["editable"]:
    # If the dependencies are in setup.py or in tables of Poetry or Flit, only the build backend knows them.
    is_static = not {"dependencies", "optional-dependencies"} & set(project.get("dynamic", [])) and (
        "name" in project or (cfg.has_section("metadata") and not os.path.exists("setup.py")))
    target = ".[%s]" % ",".join(options["extras"]) if options["extras"] and not is_static else "."
    made = pip("--no-build-isolation", *(["--no-deps"] if is_static else []), "-e", target)
    if made.returncode != 0:
        made = pip(*(["--no-deps"] if is_static else []), "-e", target)
    if made.returncode != 0 and not is_static:
        made = pip("--no-build-isolation", "--no-deps", "-e", ".")
    if made.returncode == 0:
        print("The project is installed in editable mode.")
    else:
        site = site_folder()
        sources = [os.path.join(tree, name) for name in ("src", "lib") if os.path.isdir(os.path.join(tree, name))
                   and not os.path.exists(os.path.join(tree, name, "__init__.py"))] + [tree]
        with open(os.path.join(site, "_a_tree.pth"), "w") as file:
            file.write("\n".join(sources) + "\n")
        name = project.get("name") or cfg.get("metadata", "name", fallback=None)
        version = project.get("version") or cfg.get("metadata", "version", fallback="") or "0.0.0"
        if name:
            version = "0.0.0" if ":" in version else version
            info = os.path.join(site, "%s-%s.dist-info" % (re.sub(r"[-_.]+", "_", name), version))
            os.makedirs(info, exist_ok=True)
            with open(os.path.join(info, "METADATA"), "w") as file:
                file.write("Metadata-Version: 2.1\nName: %s\nVersion: %s\n" % (name, version))
            entries = {"console_scripts": project.get("scripts", {}), **project.get("entry-points", {})}
            with open(os.path.join(info, "entry_points.txt"), "w") as file:
                for group, names in entries.items():
                    file.write("[%s]\n%s\n" % (group, "\n".join("%s = %s" % one for one in names.items())))
            for script, reference in project.get("scripts", {}).items():
                program(script, reference)
        print("The sources of this tree are on the path of .venv; the project could not be built:")
        print("\n".join((made.stderr or made.stdout).strip().splitlines()[-3:]))
`}`;
