package room

import (
	"os"
	"runtime"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"
)

// host are the files of a machine: paths and contents by turns.
func host(paths ...string) fstest.MapFS {
	files := fstest.MapFS{
		"proc/meminfo":                    {Data: []byte("MemTotal: 64000 kB\nMemFree: 1000 kB\nMemAvailable:    32000 kB\n")},
		"proc/sys/kernel/random/boot_id":  {Data: []byte("b007\n")},
		"proc/self/limits":                {Data: []byte("Limit                     Soft Limit           Hard Limit           Units\nMax address space         unlimited            unlimited            bytes\n")},
		"proc/self/status":                {Data: []byte("Name:\tmangrove\nVmSize:\t    3000 kB\n")},
		"sys/fs/cgroup/somebody/elses.me": {Data: []byte("0")},
	}
	for i := 0; i < len(paths); i += 2 {
		files[paths[i]] = &fstest.MapFile{Data: []byte(paths[i+1])}
	}
	return files
}

// Lines of /proc/self/mountinfo as various machines have them.
const (
	mountOf2       = "30 23 0:26 / /sys/fs/cgroup rw,nosuid shared:4 - cgroup2 cgroup2 rw,nsdelegate\n"
	mountOf1       = "35 31 0:32 / /sys/fs/cgroup/memory rw,relatime - cgroup cgroup rw,memory\n"
	otherMounts    = "22 1 8:1 / / rw,relatime - ext4 /dev/sda1 rw\n34 31 0:31 / /sys/fs/cgroup/cpu rw - cgroup cgroup rw,cpu,cpuacct\n"
	unifiedMount   = "41 31 0:38 / /sys/fs/cgroup/unified rw,relatime - cgroup2 cgroup2 rw\n"
	containersView = "35 31 0:32 /docker/abc /sys/fs/cgroup/memory ro,relatime master:9 - cgroup cgroup rw,memory\n"
)

const statOf1 = "cache 900\nhierarchical_memory_limit 9223372036854771712\ntotal_cache 900\ntotal_inactive_file 700\n"

var (
	theHost = Limit{"b007", "host here", 32000 << 10}
	cases   = map[string]struct {
		files fstest.MapFS
		want  []Limit
	}{
		"no cgroups":        {host(), []Limit{theHost}},
		"no Linux":          {fstest.MapFS{}, nil},
		"none mounted":      {host("proc/self/cgroup", "0::/user\n4:memory:/user\n", "proc/self/mountinfo", otherMounts), []Limit{theHost}},
		"an unreadable one": {host("proc/meminfo", "MemAvailable: much kB\n", "proc/self/cgroup", "nothing\n", "proc/self/mountinfo", "nothing either\n"), nil},

		"version 2, no limit": {host("proc/self/cgroup", "0::/user\n", "proc/self/mountinfo", otherMounts+mountOf2,
			"sys/fs/cgroup/user/memory.max", "max\n", "sys/fs/cgroup/user/memory.current", "5000\n"), []Limit{theHost}},
		"version 2": {host("proc/self/cgroup", "0::/user\n", "proc/self/mountinfo", otherMounts+mountOf2,
			"sys/fs/cgroup/user/memory.max", "9000\n", "sys/fs/cgroup/user/memory.current", "5000\n",
			"sys/fs/cgroup/user/memory.stat", "anon 3000\ninactive_file 1500\nactive_file 500\n"),
			[]Limit{theHost, {"b007 here sys/fs/cgroup/user", "cgroup /user of host here", 9000 - 5000 + 1500}}},
		"version 2, in a container": {host("proc/self/cgroup", "0::/\n", "proc/self/mountinfo", mountOf2,
			"sys/fs/cgroup/memory.max", "9000\n", "sys/fs/cgroup/memory.current", "10000\n"),
			[]Limit{theHost, {"b007 here sys/fs/cgroup", "cgroup / of host here", 0}}},
		"version 2, outside of what the container sees": {host("proc/self/cgroup", "0::/../other\n", "proc/self/mountinfo", mountOf2,
			"sys/fs/other/memory.max", "90\n", "sys/fs/other/memory.current", "20\n", // no group
			"sys/fs/cgroup/memory.max", "9000\n", "sys/fs/cgroup/memory.current", "2000\n"),
			[]Limit{theHost, {"b007 here sys/fs/cgroup", "cgroup / of host here", 7000}}},
		"version 2, one above the other": {host("proc/self/cgroup", "0::/slurm/job 7/step\n", "proc/self/mountinfo", mountOf2,
			"sys/fs/cgroup/slurm/job 7/step/memory.max", "8000\n", "sys/fs/cgroup/slurm/job 7/step/memory.current", "1000\n",
			"sys/fs/cgroup/slurm/job 7/memory.max", "max\n", "sys/fs/cgroup/slurm/job 7/memory.current", "3000\n",
			"sys/fs/cgroup/slurm/memory.max", "6000\n", "sys/fs/cgroup/slurm/memory.current", "5500\n"),
			[]Limit{theHost, {"b007 here sys/fs/cgroup/slurm/job 7/step", "cgroup /slurm/job 7/step of host here", 7000}, {"b007 here sys/fs/cgroup/slurm", "cgroup /slurm of host here", 500}}},

		"version 1, no limit": {host("proc/self/cgroup", "5:cpu,cpuacct:/\n4:memory:/user\n", "proc/self/mountinfo", otherMounts+mountOf1,
			"sys/fs/cgroup/memory/user/memory.limit_in_bytes", "9223372036854771712\n", "sys/fs/cgroup/memory/user/memory.usage_in_bytes", "5000\n",
			"sys/fs/cgroup/memory/user/memory.stat", statOf1), []Limit{theHost}},
		"version 1": {host("proc/self/cgroup", "4:hugetlb,memory:/user\n", "proc/self/mountinfo", otherMounts+mountOf1,
			"sys/fs/cgroup/memory/user/memory.limit_in_bytes", "9000\n", "sys/fs/cgroup/memory/user/memory.usage_in_bytes", "5000\n",
			"sys/fs/cgroup/memory/user/memory.stat", statOf1,
			"sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n", "sys/fs/cgroup/memory/memory.usage_in_bytes", "6000\n"),
			[]Limit{theHost, {"b007 here sys/fs/cgroup/memory/user", "cgroup /user of host here", 9000 - 5000 + 700}}},
		"version 1, in a container": {host("proc/self/cgroup", "4:memory:/docker/abc\n", "proc/self/mountinfo", containersView,
			"sys/fs/cgroup/memory/memory.limit_in_bytes", "9000\n", "sys/fs/cgroup/memory/memory.usage_in_bytes", "5000\n"),
			[]Limit{theHost, {"b007 here sys/fs/cgroup/memory", "cgroup /docker/abc of host here", 4000}}},
		"version 1, a limit above that is out of sight": {host("proc/self/cgroup", "4:memory:/docker/abc\n", "proc/self/mountinfo", containersView,
			"sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n", "sys/fs/cgroup/memory/memory.usage_in_bytes", "5000\n",
			"sys/fs/cgroup/memory/memory.stat", "hierarchical_memory_limit 7000\n"),
			[]Limit{theHost, {"b007 here sys/fs/cgroup/memory", "cgroup /docker/abc of host here", 2000}}},

		"version 1, by another name outside": {host("proc/self/cgroup", "4:memory:/user\n", "proc/self/mountinfo", containersView,
			"sys/fs/cgroup/memory/memory.limit_in_bytes", "9000\n", "sys/fs/cgroup/memory/memory.usage_in_bytes", "5000\n",
			"sys/fs/cgroup/memory/user/memory.limit_in_bytes", "90\n", "sys/fs/cgroup/memory/user/memory.usage_in_bytes", "50\n"), // of somebody inside
			[]Limit{theHost, {"b007 here sys/fs/cgroup/memory", "cgroup /docker/abc of host here", 4000}}},

		"both versions, memory in the first": {host("proc/self/cgroup", "4:memory:/user\n0::/user\n", "proc/self/mountinfo", otherMounts+mountOf1+unifiedMount,
			"sys/fs/cgroup/memory/user/memory.limit_in_bytes", "9000\n", "sys/fs/cgroup/memory/user/memory.usage_in_bytes", "5000\n",
			"sys/fs/cgroup/unified/user/cgroup.procs", "1\n"),
			[]Limit{theHost, {"b007 here sys/fs/cgroup/memory/user", "cgroup /user of host here", 4000}}},
		"a folder with a blank": {host("proc/self/cgroup", "0::/\n", "proc/self/mountinfo", "30 23 0:26 / /my\\040groups rw - cgroup2 cgroup2 rw\n",
			"my groups/memory.max", "9000\n", "my groups/memory.current", "2000\n"),
			[]Limit{theHost, {"b007 here my groups", "cgroup / of host here", 7000}}},

		"a limited address space": {host("proc/self/limits", "Max stack size 8 8 bytes\nMax address space         4096000              unlimited            bytes\n"),
			[]Limit{theHost, {"b007 here process 17", "the address space of a process (ulimit -v) on host here", 4096000 - 3000<<10}}},
	}
)

func TestLimitsOfMachinesAndContainers(t *testing.T) {
	for name, c := range cases {
		require.Equal(t, c.want, limitsOf(c.files, "here", 17), name)
	}
}

// Two containers on one host have the host in common, and nothing else; two hosts have nothing.
func TestWhatIsSharedHasTheSameID(t *testing.T) {
	container := host("proc/self/cgroup", "0::/\n", "proc/self/mountinfo", mountOf2, "sys/fs/cgroup/memory.max", "9000\n", "sys/fs/cgroup/memory.current", "10\n")
	one, other := limitsOf(container, "one", 1), limitsOf(container, "other", 1)
	require.Equal(t, one[0].ID, other[0].ID)
	require.NotEqual(t, one[1].ID, other[1].ID)
	elsewhere := host("proc/sys/kernel/random/boot_id", "b008\n")
	require.NotEqual(t, one[0].ID, limitsOf(elsewhere, "one", 1)[0].ID)
	delete(elsewhere, "proc/sys/kernel/random/boot_id")
	require.Equal(t, "one", limitsOf(elsewhere, "one", 1)[0].ID)
}

func TestMemoryIsKnownOnLinux(t *testing.T) {
	all := Limits()
	if runtime.GOOS != "linux" {
		require.Empty(t, all)
		return
	}
	require.NotEmpty(t, all)
	name, err := os.Hostname()
	require.NoError(t, err)
	require.Equal(t, "host "+name, all[0].Name)
	require.Greater(t, all[0].Bytes, int64(1<<20))
}
