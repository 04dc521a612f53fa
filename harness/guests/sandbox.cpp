#include "harness/guests/sandbox.hpp"

#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/fs.h>
#include <linux/seccomp.h>
#include <linux/sockios.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstddef>
#include <cstdint>

namespace bench::guests {
namespace {

// Older headers have neither; the numbers are the same on all architectures.
namespace landlock {
constexpr long create_ruleset = 444;
constexpr long add_rule = 445;
constexpr long restrict_self = 446;

struct Ruleset {
  std::uint64_t files = 0;
  std::uint64_t network = 0;
  std::uint64_t scopes = 0;
};
struct [[gnu::packed]] Beneath {
  std::uint64_t allowed = 0;
  std::int32_t folder = -1;
};

constexpr std::uint64_t write_file = 1U << 1U;
constexpr std::uint64_t truncate = 1U << 14U;              // from version 3 on
constexpr std::uint64_t removing_and_making = 0x1FF0;      // version 1: bits 4 to 12
constexpr std::uint64_t linking_elsewhere = 1U << 13U;     // version 2
constexpr std::uint64_t all_of_tcp = 3;                    // version 4: bind, connect
constexpr std::uint64_t abstract_sockets_and_signals = 3;  // version 6

/// 0 where the kernel has none.
int version() {
  constexpr unsigned ask = 1;
  const long answer = syscall(create_ruleset, nullptr, 0, ask);
  return answer > 0 ? static_cast<int>(answer) : 0;
}

std::uint64_t writing(int version) {
  return write_file | removing_and_making | (version >= 2 ? linking_elsewhere : 0) |
         (version >= 3 ? truncate : 0);
}

void allow(int rules, const char* path, std::uint64_t what) {
  const int folder = open(path, O_PATH | O_CLOEXEC);
  if (folder < 0) return;
  constexpr int beneath = 1;
  const Beneath rule{what, folder};
  syscall(add_rule, rules, beneath, &rule, 0);
  close(folder);
}
}  // namespace landlock

#if defined(__x86_64__)
constexpr std::uint32_t architecture = AUDIT_ARCH_X86_64;
#elif defined(__aarch64__)
constexpr std::uint32_t architecture = AUDIT_ARCH_AARCH64;
#elif defined(__powerpc64__)
constexpr std::uint32_t architecture = AUDIT_ARCH_PPC64LE;
#else
constexpr std::uint32_t architecture = 0;  // no filter
#endif

constexpr std::uint32_t refused = SECCOMP_RET_ERRNO | EPERM;
constexpr std::uint32_t unknown = SECCOMP_RET_ERRNO | ENOSYS;  // so that something else is tried
constexpr std::uint32_t pretended = SECCOMP_RET_ERRNO;         // of nothing: as if it had worked
constexpr unsigned number_at = offsetof(seccomp_data, nr);
constexpr unsigned architecture_at = offsetof(seccomp_data, arch);
constexpr unsigned first_argument_at = offsetof(seccomp_data, args);  // its low half
constexpr unsigned second_argument_at = first_argument_at + sizeof(std::uint64_t);
constexpr unsigned third_argument_at = second_argument_at + sizeof(std::uint64_t);

constexpr sock_filter load(unsigned at) { return BPF_STMT(BPF_LD | BPF_W | BPF_ABS, at); }
constexpr sock_filter answer(std::uint32_t with) { return BPF_STMT(BPF_RET | BPF_K, with); }
/// Skips `skip` steps unless the loaded value is `value`.
constexpr sock_filter unless(std::uint32_t value, unsigned char skip) {
  return BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, value, 0, skip);
}
constexpr sock_filter unless_call(long call, unsigned char skip) {
  return unless(static_cast<std::uint32_t>(call), skip);
}
/// The same unless it has one of these bits.
constexpr sock_filter unless_any_of(std::uint32_t bits, unsigned char skip) {
  return BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, bits, 0, skip);
}

// System calls that older headers do not name.
constexpr long call_of_pidfd_send_signal = 424;
constexpr long call_of_io_uring_setup = 425;
constexpr long call_of_pidfd_getfd = 438;

constexpr long call_of_clone3 = 435;
constexpr long call_of_fchmodat2 = 452;
constexpr long call_of_setxattrat = 463;
constexpr long call_of_removexattrat = 466;
constexpr long call_of_file_setattr = 469;

/// Calls that a kernel has no need of: they start or reach other processes, also by sockets (the
/// one that it has leads here only), leave the group of processes that is stopped between samples,
/// let the kernel send signals, which may continue what is stopped, or work for it meanwhile, cut
/// off the files of arrays, leave something behind in the memory of the node, become somebody
/// else, who is not killed where bench ends, change who may read the user's files, or get around a
/// filter of calls.
constexpr long never[] = {
#if defined(SYS_socketcall)  // where there are two ways
    SYS_socketcall,
    SYS_ipc,
#endif
#if defined(SYS_fork)  // elsewhere there is clone alone
    SYS_fork,
    SYS_vfork,
#endif
    SYS_ptrace,
    SYS_tkill,
    SYS_process_vm_readv,
    SYS_process_vm_writev,
    SYS_setsid,
    SYS_setpgid,
    SYS_setpriority,
    SYS_sched_setscheduler,
    SYS_sched_setattr,
    SYS_sched_setparam,
    SYS_timer_create,
    SYS_mq_notify,
    SYS_truncate,
    SYS_ftruncate,
    SYS_fallocate,
    SYS_shmget,
    SYS_msgget,
    SYS_semget,
    SYS_mq_open,
    SYS_io_setup,
    SYS_io_submit,
    SYS_socket,
    SYS_socketpair,
    SYS_connect,
    SYS_sendmsg,
    SYS_sendmmsg,
    SYS_setuid,
    SYS_setgid,
    SYS_setreuid,
    SYS_setregid,
    SYS_setresuid,
    SYS_setresgid,
    SYS_setfsuid,
    SYS_setfsgid,
    call_of_pidfd_send_signal,
    call_of_io_uring_setup,
    call_of_pidfd_getfd,
// Landlock has no rule for the modes, owners, times and attributes of files.
#if defined(SYS_chmod)  // elsewhere there are the newer ones alone
    SYS_chmod,
    SYS_chown,
    SYS_lchown,
    SYS_utime,
    SYS_utimes,
    SYS_futimesat,
#endif
    SYS_fchmod,
    SYS_fchmodat,
    call_of_fchmodat2,
    SYS_fchown,
    SYS_fchownat,
    SYS_utimensat,
    SYS_setxattr,
    SYS_lsetxattr,
    SYS_fsetxattr,
    call_of_setxattrat,
    SYS_removexattr,
    SYS_lremovexattr,
    SYS_fremovexattr,
    call_of_removexattrat,
    call_of_file_setattr};
/// What fcntl() and ioctl() are not asked for: signals where a file has news, to whomever, words
/// typed into the terminal of bench, and attributes of files.
constexpr std::uint32_t never_of_files[] = {F_SETOWN, F_SETSIG, F_SETOWN_EX};
constexpr std::uint32_t never_of_devices[] = {
    FIOASYNC,         FIOSETOWN, SIOCSPGRP,
    TIOCSTI,          TIOCLINUX, static_cast<std::uint32_t>(FS_IOC_SETFLAGS),
    FS_IOC_FSSETXATTR};
/// Calls whose first argument is a process: they may name their own.
constexpr long only_own[] = {SYS_kill, SYS_tgkill, SYS_rt_sigqueueinfo, SYS_rt_tgsigqueueinfo,
                             SYS_prlimit64};

class Filter {
 public:
  explicit Filter(pid_t own) {
    add(load(architecture_at));
    add(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, architecture, 1, 0));
    add(answer(SECCOMP_RET_KILL_PROCESS));  // its calls have other numbers
    add(load(number_at));
    constexpr std::uint32_t x32 = 0x40000000;  // those of this ABI, too
    add(BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, x32, 0, 1));
    add(answer(refused));
    for (const long call : never) {
      add(unless_call(call, 1));
      add(answer(refused));
    }
    // Threads are made, processes are not. Of clone3 the flags cannot be read from here.
    add(unless_call(call_of_clone3, 1));
    add(answer(unknown));
    add(unless_call(SYS_clone, 4));
    add(load(first_argument_at));
    add(unless_any_of(CLONE_THREAD, 1));
    add(answer(SECCOMP_RET_ALLOW));
    add(answer(refused));
    // A runtime may bind its threads, and would give up where it cannot; but whose another number
    // is cannot be seen.
    of_own(SYS_sched_setaffinity, own, pretended);
    for (const std::uint32_t what : never_of_files) refuse(SYS_fcntl, second_argument_at, what);
    for (const std::uint32_t what : never_of_devices) refuse(SYS_ioctl, second_argument_at, what);
    refuse(SYS_madvise, third_argument_at, MADV_REMOVE);  // as fallocate would
    refuse(SYS_prctl, first_argument_at, PR_SET_PDEATHSIG);
    for (const long call : only_own) of_own(call, own, refused);
    add(answer(SECCOMP_RET_ALLOW));
  }

  bool install() {
    sock_fprog program{static_cast<unsigned short>(size_), steps_.data()};
    return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
  }

 private:
  /// A call whose first argument is a process: its own, or 0, which is the caller, and for kill its
  /// group, which is stopped as one. Of others this is the answer.
  void of_own(long call, pid_t own, std::uint32_t otherwise) {
    add(unless_call(call, 6));
    add(load(first_argument_at));
    add(unless(static_cast<std::uint32_t>(own), 1));
    add(answer(SECCOMP_RET_ALLOW));
    add(unless(std::uint32_t{0}, 1));
    add(answer(SECCOMP_RET_ALLOW));
    add(answer(otherwise));
  }
  /// A call with this argument.
  void refuse(long call, unsigned argument_at, std::uint32_t value) {
    add(unless_call(call, 4));
    add(load(argument_at));
    add(unless(value, 1));
    add(answer(refused));
    add(load(number_at));
  }
  void add(const sock_filter& step) { steps_[size_++] = step; }

  std::array<sock_filter, 512> steps_{};
  std::size_t size_ = 0;
};

bool has_filters() {
  // Asked for no filter at all, a kernel that has them finds no program to read.
  return architecture != 0 && prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, nullptr) != 0 &&
         errno == EFAULT;
}

}  // namespace

Sandbox::Sandbox(const std::filesystem::path& writable) {
  const int version = landlock::version();
  if (version == 0) return;
  landlock::Ruleset rules;
  rules.files = landlock::writing(version);
  if (version >= 4) rules.network = landlock::all_of_tcp;
  if (version >= 6) rules.scopes = landlock::abstract_sockets_and_signals;
  const std::size_t known = version >= 6 ? 24 : version >= 4 ? 16 : 8;
  rules_ = static_cast<int>(syscall(landlock::create_ruleset, &rules, known, 0));
  if (rules_ < 0) return;
  landlock::allow(rules_, writable.c_str(), rules.files);
  landlock::allow(rules_, "/dev/null", rules.files & (landlock::write_file | landlock::truncate));
}

Sandbox::~Sandbox() {
  if (rules_ >= 0) close(rules_);
}

void Sandbox::enter() const {
  prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  if (rules_ >= 0) syscall(landlock::restrict_self, rules_, 0);
  if (architecture != 0) Filter(getpid()).install();
}

Forbidden forbidden_to_guests() {
  Forbidden forbidden;
  const auto say = [&](bool here, const char* what) {
    (here ? forbidden.forbids : forbidden.lacks).emplace_back(what);
  };
  say(landlock::version() > 0, "writing files");
  const bool filters = has_filters();
  say(filters, "the network");
  say(filters, "other processes");
  return forbidden;
}

}  // namespace bench::guests
