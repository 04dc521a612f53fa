"""A real Slurm for the tests: started and stopped by them, in a folder of its own, on the loopback
interface of a network of its own. Nothing of it survives."""

import json
import os
import pathlib
import shutil
import signal
import subprocess
import time

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[1]
BENCH = os.environ.get("BENCH_BINARY", str(ROOT / "build" / "bench"))
JOBS = ROOT / "jobs"
TINY = ["--size", "tiny", "--samples", "9", "--max-time", "0.02"]

# Nodes of this machine's own cores: binding is real. (All of them are the same two cores.)
REAL = """
TaskPlugin=task/affinity
NodeName=DEFAULT Sockets=1 CoresPerSocket=2 ThreadsPerCore=1 RealMemory=3000 State=UNKNOWN
"""
SMALLER = "CoresPerSocket=1"  # one node has a core less
# Nodes as clusters have them: scripts for them run as they are, binding is not real.
LARGE = """
TaskPlugin=task/none
SlurmdParameters=config_overrides
NodeName=DEFAULT Sockets=2 CoresPerSocket=32 ThreadsPerCore=2 RealMemory=3000 State=UNKNOWN
"""
CONFIGURATION = """
ClusterName=ci
SlurmctldHost=localhost(127.0.0.1)
SlurmctldPort=17817
AuthType=auth/munge
AuthInfo=socket={folder}/run/munge.sock
CredType=cred/munge
SlurmUser=root
SlurmdUser=root
CommunicationParameters=NoInAddrAny,NoCtldInAddrAny
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool/%n
SlurmctldPidFile={folder}/run/slurmctld.pid
SlurmdPidFile={folder}/run/slurmd.%n.pid
SlurmctldLogFile={folder}/log/slurmctld.log
SlurmdLogFile={folder}/log/slurmd.%n.log
ProctrackType=proctrack/linuxproc
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
EnforcePartLimits=ALL
SchedulerType=sched/backfill
SchedulerParameters=bf_interval=1,sched_interval=1,batch_sched_delay=0,sched_min_interval=0
ReturnToService=2
MpiDefault=none
GresTypes=gpu
SlurmctldTimeout=30
SlurmdTimeout=6
KillWait=2
MinJobAge=300
AccountingStorageType=accounting_storage/none
JobAcctGatherType=jobacct_gather/linux
{shape}
NodeName=cpu0 NodeHostname=localhost NodeAddr=127.0.0.1 Port=17818
NodeName=cpu1 NodeHostname=localhost NodeAddr=127.0.0.1 Port=17819
NodeName=gpu0 NodeHostname=localhost NodeAddr=127.0.0.1 Port=17820 Gres=gpu:h200:{gpus}
NodeName=gpu1 NodeHostname=localhost NodeAddr=127.0.0.1 Port=17821 Gres=gpu:h200:{gpus} {last}
PartitionName=cpu Nodes=cpu[0-1] Default=YES MaxTime=60 DefaultTime=5 State=UP
PartitionName=gpu Nodes=gpu[0-1] MaxTime=60 DefaultTime=5 State=UP
"""
# With 127.0.0.1 as the only address slurmctld does not find itself.
START = """
set -e
hostname localhost
ip link set lo up
ip address add 10.77.77.77/32 dev lo
cd {folder}
munged --force --key-file=munge.key --socket=run/munge.sock --pid-file=run/munged.pid \
  --log-file={folder}/log/munged.log --seed-file=run/munge.seed
slurmctld -c -f {folder}/slurm.conf
for node in cpu0 cpu1 gpu0 gpu1; do slurmd -c -N $node -f {folder}/slurm.conf; done
echo up
exec sleep infinity
"""
NAMESPACES = ["--net", "--uts", "--mount", "--pid"]
ALONE = ["setpriv", "--pdeathsig", "KILL", "unshare", *NAMESPACES, "--fork"]
ENTER = ["nsenter", *NAMESPACES]
NODES = ["cpu0", "cpu1", "gpu0", "gpu1"]


def reason_without():
    """Why there can be no Slurm here; empty if there can."""
    if os.geteuid() != 0:
        return "a Slurm of the test's own needs root"
    programs = ["slurmctld", "slurmd", "srun", "munged", "setpriv", "unshare", "nsenter", "ip"]
    missing = [program for program in programs if shutil.which(program) is None]
    if missing:
        return f"not installed: {', '.join(missing)}"
    if subprocess.run([*ALONE, "true"], capture_output=True, check=False).returncode != 0:
        return "this system does not allow namespaces"
    return ""


class Cluster:
    """Two nodes with GPUs (without devices behind them) and two without."""

    def __init__(self, folder, shape, gpus, last=""):
        self.folder = folder
        for name in ("run", "state", "log", "spool", "dev"):
            (folder / name).mkdir(parents=True)
        for number in range(gpus):
            (folder / "dev" / f"nvidia{number}").symlink_to("/dev/null")
        (folder / "slurm.conf").write_text(
            CONFIGURATION.format(folder=folder, shape=shape, gpus=gpus, last=last)
        )
        (folder / "gres.conf").write_text(
            "AutoDetect=off\n"
            f"NodeName=gpu[0-1] Name=gpu Type=h200 File={folder}/dev/nvidia[0-{gpus - 1}]\n"
        )
        key = folder / "munge.key"
        key.write_bytes(os.urandom(1024))
        key.chmod(0o600)
        with (folder / "log" / "start.log").open("w") as log:
            self.process = subprocess.Popen(
                [*ALONE, "--kill-child", "--mount-proc", "bash", "-c", START.format(folder=folder)],
                stdout=log,
                stderr=log,
                start_new_session=True,
            )
        self.inside = None
        self.wait_until(self._is_up, 30, "Slurm to start")

    def _is_up(self):
        children = pathlib.Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children")
        if "up" not in (self.folder / "log" / "start.log").read_text().split():
            return False
        self.inside = children.read_text().split()[0]
        states = self.run("sinfo", "-h", "-N", "-o", "%N %T").stdout.split("\n")
        return all(f"{node} idle" in states for node in NODES)

    def stop(self):
        os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()

    def start_process(self, *command, cwd=None, **environment):
        variables = {k: v for k, v in os.environ.items() if not k.startswith(("SLURM", "BENCH_"))}
        variables.setdefault("OMP_WAIT_POLICY", "passive")
        variables["SLURM_CONF"] = str(self.folder / "slurm.conf")
        variables.update(environment)
        return subprocess.Popen(
            [*ENTER, "--target", self.inside, f"--wd={cwd or self.folder}", *map(str, command)],
            env=variables,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def run(self, *command, cwd=None, timeout=60, **environment):
        """Runs a command on the cluster's login node, so to speak."""
        process = self.start_process(*command, cwd=cwd, **environment)
        try:
            out, err = process.communicate(timeout=timeout)
        except subprocess.TimeoutExpired:
            process.kill()
            raise
        return subprocess.CompletedProcess(command, process.returncode, out, err)

    def check(self, *command, **options):
        result = self.run(*command, **options)
        assert result.returncode == 0, result.stdout + result.stderr
        return result.stdout

    def submit(self, *arguments, cwd, **environment):
        """Submits a job script and returns the job's number."""
        out = self.check("sbatch", "--parsable", *arguments, cwd=cwd, **environment)
        return out.strip().split(";")[0]

    def job(self, number):
        """What Slurm says of a job, as a dictionary."""
        text = self.check("scontrol", "--oneliner", "show", "job", number)
        return dict(word.split("=", 1) for word in text.split() if "=" in word)

    def ended(self, number):
        done = ("COMPLETED", "FAILED", "CANCELLED", "NODE_FAIL", "TIMEOUT")
        return self.job(number)["JobState"] in done

    def wait_for(self, number, seconds=90):
        """Waits for a job to end and returns what Slurm says of it."""
        self.wait_until(lambda: self.ended(number), seconds, f"job {number}")
        return self.job(number)

    @staticmethod
    def wait_until(condition, seconds, what):
        end = time.monotonic() + seconds
        while True:
            found = condition()
            if found:
                return found
            assert time.monotonic() < end, f"waited {seconds} s for {what}"
            time.sleep(0.1)


def documents(folder):
    """The documents in a folder, by file name."""
    return {file.name: json.loads(file.read_text()) for file in sorted(folder.glob("*.json"))}


def groups(document):
    """Workload and size of each group that was finished."""
    found = []
    for case in document["cases"]:
        if ",beside=" not in case["name"]:
            found.append((case["workload"], case["dtype"], case["size"]))
    return sorted(set(found))


def start_cluster(folder, *shape):
    reason = reason_without()
    if reason:
        pytest.skip(reason)
    return Cluster(folder, *shape)


@pytest.fixture(scope="session")
def real(tmp_path_factory):
    """Nodes of this machine's own cores."""
    cluster = start_cluster(tmp_path_factory.mktemp("real"), REAL, 2, SMALLER)
    yield cluster
    cluster.stop()


@pytest.fixture(scope="session")
def large(tmp_path_factory):
    """Nodes with 128 CPUs and 8 GPUs, as far as Slurm knows."""
    cluster = start_cluster(tmp_path_factory.mktemp("large"), LARGE, 8)
    yield cluster
    cluster.stop()
