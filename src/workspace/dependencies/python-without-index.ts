/**
 * A program for Python that makes `.venv` in its working directory without fetching anything. Packages of the Python that
 * runs it are found through plain lines of a `.pth` file, so no `.pth` file beside them is read, and an editable install
 * of the project in that Python has no effect. Programs of those packages get a copy that runs in the new environment.
 */
export const withoutIndex = String.raw`
import configparser, json, os, re, shutil, subprocess, sys, sysconfig, venv
from importlib import metadata

tree = os.getcwd()
found = [os.path.realpath(p) for p in sys.path if p.rstrip("/").endswith(("site-packages", "dist-packages"))]
packages = [p for p in dict.fromkeys(found) if os.path.isdir(p) and not p.startswith(tree + os.sep)]
venv.EnvBuilder(with_pip=False, symlinks=True, clear=True).create(".venv")
python = os.path.join(tree, ".venv", "bin", "python")
site = subprocess.check_output(
    [python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"], text=True).strip()
sources = [os.path.join(tree, name) for name in ("src", "lib") if os.path.isdir(os.path.join(tree, name))
           and not os.path.exists(os.path.join(tree, name, "__init__.py"))] + [tree]
with open(os.path.join(site, "_tree_and_system.pth"), "w") as file:
    file.write("\n".join(sources + packages) + "\n")

def program(name, reference):
    module, _, attribute = reference.split("[")[0].strip().partition(":")
    path = os.path.join(tree, ".venv", "bin", name)
    if os.path.exists(path) or not attribute or os.path.basename(name) != name:
        return
    with open(path, "w") as file:
        file.write("#!%s\nimport sys\nfrom %s import %s\nsys.exit(%s())\n"
                   % (python, module, attribute.split(".")[0], attribute))
    os.chmod(path, 0o755)

for distribution in metadata.distributions(path=packages):
    for entry in distribution.entry_points:
        if entry.group == "console_scripts":
            program(entry.name, entry.value)

installable = [name for name in ("pyproject.toml", "setup.py", "setup.cfg") if os.path.exists(name)]
if installable:
    made = subprocess.run([python, "-m", "pip", "install", "--no-index", "--no-build-isolation", "--no-deps",
                           "--disable-pip-version-check", "-q", "-e", "."], capture_output=True, text=True)
    if made.returncode == 0:
        print("The project is installed editable, built with the packages of %s." % sys.prefix)
    else:
        text = open("pyproject.toml").read() if os.path.exists("pyproject.toml") else ""
        section = re.search(r"^\[project\]\s*$(.*?)(?=^\[|\Z)", text, re.M | re.S)
        cfg = configparser.ConfigParser(interpolation=None)
        try:
            cfg.read("setup.cfg")
        except configparser.Error:
            pass
        def static(key):
            match = section and re.search(r"^%s\s*=\s*['\"]([^'\"]+)" % key, section.group(1), re.M)
            return match.group(1) if match else cfg.get("metadata", key, fallback=None)
        name, version = static("name"), static("version")
        if name:
            if not version or ":" in version:
                version = "0.0.0"
            info = os.path.join(site, "%s-%s.dist-info" % (re.sub(r"[-_.]+", "_", name), version))
            os.makedirs(info, exist_ok=True)
            with open(os.path.join(info, "METADATA"), "w") as file:
                file.write("Metadata-Version: 2.1\nName: %s\nVersion: %s\n" % (name, version))
            scripts = re.search(r"^\[project\.scripts\]\s*$(.*?)(?=^\[|\Z)", text, re.M | re.S)
            for line in (scripts.group(1) if scripts else "").splitlines():
                match = re.match(r"""\s*["']?([\w.-]+)["']?\s*=\s*["']([^"']+)["']""", line)
                if match:
                    program(match.group(1), match.group(2))
        print("The sources of this tree are on the path of .venv; the project could not be built:")
        print("\n".join((made.stderr or made.stdout).strip().splitlines()[-5:]))
`;
