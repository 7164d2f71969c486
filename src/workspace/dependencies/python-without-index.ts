/**
 * A program for Python that makes `.venv` in its working directory of what can be had. Packages of the Python that runs
 * it are found through plain lines of a `.pth` file, so no `.pth` file beside them is read, and an editable install of
 * the project in that Python has no effect. Programs of those packages get a copy that runs in the new environment.
 * Its argument names the extras, groups and files of requirements that tests need.
 */
export const withoutIndex = String.raw`
import configparser, json, os, re, subprocess, sys, venv
from importlib import metadata

wanted = json.loads(sys.argv[1])
tree = os.getcwd()
found = [os.path.realpath(p) for p in sys.path if p.rstrip("/").endswith(("site-packages", "dist-packages"))]
packages = [p for p in dict.fromkeys(found) if os.path.isdir(p) and not p.startswith(tree + os.sep)]
venv.EnvBuilder(with_pip=False, symlinks=True, clear=True).create(".venv")
bin = os.path.join(tree, ".venv", "bin")
python = os.path.join(bin, "python")
site = subprocess.check_output(
    [python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"], text=True).strip()
sources = [os.path.join(tree, name) for name in ("src", "lib") if os.path.isdir(os.path.join(tree, name))
           and not os.path.exists(os.path.join(tree, name, "__init__.py"))] + [tree]
with open(os.path.join(site, "_tree_and_system.pth"), "w") as file:
    file.write("\n".join(sources + packages) + "\n")
if subprocess.run([python, "-c", "import pip"], capture_output=True).returncode != 0:
    subprocess.run([python, "-m", "ensurepip"], capture_output=True)

def pip(*words):
    return subprocess.run([python, "-m", "pip", "install", "--disable-pip-version-check", "-q", *words],
                          capture_output=True, text=True)

def read_toml(path):
    try:
        import tomllib as toml
    except ImportError:
        try:
            import tomli as toml
        except ImportError:
            from pip._vendor import tomli as toml
    try:
        with open(path, "rb") as file:
            return toml.load(file)
    except Exception:
        return {}

pyproject = read_toml("pyproject.toml")
project = pyproject.get("project", {})
groups = pyproject.get("dependency-groups", {})
cfg = configparser.ConfigParser(interpolation=None)
try:
    cfg.read("setup.cfg")
except configparser.Error:
    pass

def of_group(name, seen=()):
    for one in groups.get(name, []):
        if isinstance(one, str):
            yield one
        elif one.get("include-group") not in (None, *seen):
            yield from of_group(one["include-group"], (*seen, name))

def of_file(path, seen=()):
    try:
        lines = open(path).read().splitlines()
    except OSError:
        return
    for line in lines:
        line = re.sub(r"(^|\s)#.*$", "", line).strip()
        other = re.match(r"(?:-r|--requirement)[ =]?\s*(\S+)", line)
        if other and path not in seen:
            yield from of_file(os.path.join(os.path.dirname(path), other.group(1)), (*seen, path))
        elif re.match(r"[A-Za-z]", line):
            yield line.split(" \\")[0].split(" --hash")[0]

def lines(section, key):
    return [line.strip() for line in cfg.get(section, key, fallback="").splitlines() if line.strip()]

own = re.compile(r"%s\s*\[" % re.escape(project.get("name", "-")), re.I)
requirements = [
    *pyproject.get("build-system", {}).get("requires", ["setuptools", "wheel"]),
    *project.get("dependencies", []), *lines("options", "install_requires"),
    *(r for extra in wanted["extras"] for r in project.get("optional-dependencies", {}).get(extra, [])),
    *(r for extra in wanted["extras"] for r in lines("options.extras_require", extra)),
    *(r for group in wanted["groups"] for r in of_group(group)),
    *(r for file in wanted["requirements"] for r in of_file(file)),
    *wanted["others"],
]
missing, other_version = [], []
for requirement in dict.fromkeys(requirements):
    if own.match(requirement) or pip(requirement).returncode == 0:
        continue
    name = re.match(r"[A-Za-z0-9._-]+(\[[^\]]*\])?", requirement)
    if name and name.group(0) != requirement and pip(name.group(0)).returncode == 0:
        other_version.append(requirement)
    else:
        missing.append(requirement)
if other_version:
    print("Installed in another version than asked for: " + ", ".join(other_version))
if missing:
    print("Not to be had: " + ", ".join(missing))

def program(name, reference):
    module, _, attribute = reference.split("[")[0].strip().partition(":")
    path = os.path.join(bin, name)
    if os.path.exists(path) or not attribute or os.path.basename(name) != name:
        return
    with open(path, "w") as file:
        file.write("#!%s\nimport sys\nfrom %s import %s\nsys.exit(%s())\n"
                   % (python, module, attribute.split(".")[0], attribute))
    os.chmod(path, 0o755)

if any(os.path.exists(name) for name in ("pyproject.toml", "setup.py", "setup.cfg")):
    made = pip("--no-index", "--no-build-isolation", "--no-deps", "-e", ".")
    if made.returncode == 0:
        print("The project is installed editable.")
    else:
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

for distribution in metadata.distributions(path=packages):
    for entry in distribution.entry_points:
        if entry.group == "console_scripts":
            program(entry.name, entry.value)
`;
