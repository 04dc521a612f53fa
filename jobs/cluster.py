"""A real Slurm for the tests: started and stopped by them, in a folder of its own, on the loopback
interface of a network of its own. Nothing of it survives."""

import contextlib
import os
import pathlib
import shutil
import signal
import subprocess
import time

# Nodes of this machine's own cores: binding is real. (All of them are the same two cores.)
OWN_CORES = "NodeName=DEFAULT Sockets=1 CoresPerSocket=2 ThreadsPerCore=1 RealMemory=3000"
REAL = f"""
ProctrackType=proctrack/linuxproc
TaskPlugin=task/affinity
SelectTypeParameters=CR_Core
{OWN_CORES}
"""
SMALLER = "CoresPerSocket=1"  # one node has a core less
# Nodes as clusters have them: scripts for them run as they are, binding is not real.
LARGE = """
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectTypeParameters=CR_Core
SlurmdParameters=config_overrides
NodeName=DEFAULT Sockets=2 CoresPerSocket=32 ThreadsPerCore=2 RealMemory=3000
"""
# As clusters keep jobs in their limits. Here Slurm signals the step's own task, not its children,
# and the memory that a job asked for is all that it gets.
LIMITED = f"""
ProctrackType=proctrack/cgroup
TaskPlugin=task/cgroup,task/affinity
SelectTypeParameters=CR_Core_Memory
{OWN_CORES}
"""
CGROUPS = pathlib.Path("/sys/fs/cgroup")
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
SelectType=select/cons_tres
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
{nodes}
{partitions}
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
for node in {nodes}; do slurmd -c -N $node -f {folder}/slurm.conf; done
echo up
exec sleep infinity
"""
NAMESPACES = ["--net", "--uts", "--mount", "--pid"]
ALONE = ["setpriv", "--pdeathsig", "KILL", "unshare", *NAMESPACES, "--fork"]
ENTER = ["nsenter", *NAMESPACES]


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
    """Nodes by name: those that begin with gpu have GPUs (without real devices)."""

    def __init__(self, folder, shape, nodes, gpus):
        self.folder = folder
        self.nodes = list(nodes)
        for name in ("run", "state", "log", "spool", "dev"):
            (folder / name).mkdir(parents=True)
        for number in range(gpus):
            (folder / "dev" / f"nvidia{number}").symlink_to("/dev/null")
        self._configure(shape, nodes, gpus)
        key = folder / "munge.key"
        key.write_bytes(os.urandom(1024))
        key.chmod(0o600)
        with (folder / "log" / "start.log").open("w") as log:
            self.process = subprocess.Popen(
                [
                    *ALONE,
                    "--kill-child",
                    "--mount-proc",
                    "bash",
                    "-c",
                    START.format(folder=folder, nodes=" ".join(nodes)),
                ],
                stdout=log,
                stderr=log,
                start_new_session=True,
            )
        self.inside = None
        self.wait_until(self._is_up, 30, "Slurm to start")

    def _configure(self, shape, nodes, gpus):
        """Each node has its port, each partition the nodes whose names begin with its own."""
        lines = [
            f"NodeName={node} NodeHostname=localhost NodeAddr=127.0.0.1 Port={port} State=UNKNOWN "
            + (f"Gres=gpu:h200:{gpus} Feature=h200 " if node.startswith("gpu") else "")
            + options
            for port, (node, options) in enumerate(nodes.items(), 17818)
        ]
        members = {name: [n for n in nodes if n.startswith(name)] for name in ("cpu", "gpu")}
        partitions = [
            f"PartitionName={name} Nodes={','.join(all_)} MaxTime=60 DefaultTime=5 State=UP "
            f"Default={'YES' if name == 'cpu' else 'NO'}"
            for name, all_ in members.items()
            if all_
        ]
        (self.folder / "slurm.conf").write_text(
            CONFIGURATION.format(
                folder=self.folder,
                shape=shape,
                nodes="\n".join(lines),
                partitions="\n".join(partitions),
            )
        )
        (self.folder / "gres.conf").write_text(
            "AutoDetect=off\n"
            + "".join(
                f"NodeName={node} Name=gpu Type=h200 File={self.folder}/dev/nvidia[0-{gpus - 1}]\n"
                for node in members["gpu"]
            )
        )
        (self.folder / "cgroup.conf").write_text(
            f"CgroupPlugin=cgroup/v1\nCgroupMountpoint={CGROUPS}\n"
            "ConstrainCores=yes\nConstrainRAMSpace=yes\n"
        )

    def _is_up(self):
        children = pathlib.Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children")
        if "up" not in (self.folder / "log" / "start.log").read_text().split():
            return False
        self.inside = children.read_text().split()[0]
        states = self.run("sinfo", "-h", "-N", "-o", "%N %T").stdout.split("\n")
        return all(f"{node} idle" in states for node in self.nodes)

    def stop(self):
        os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()
        for node in self.nodes:
            for group in CGROUPS.glob(f"*/slurm_{node}"):
                self.wait_until(lambda group=group: removed(group), 10, f"{group} to be empty")

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

    def run(self, *command, cwd=None, timeout=300, **environment):
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

    def wait_until_idle(self, node):
        self.wait_until(
            lambda: self.check("sinfo", "-h", "-n", node, "-o", "%T") == "idle\n", 60, node
        )

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


def removed(group):
    """Removes a cgroup with those in it, once the last process has left."""
    with contextlib.suppress(OSError):
        for folder, _, _ in os.walk(group, topdown=False):
            os.rmdir(folder)
    return not group.exists()
