package command

import "runtime/debug"

// version is that of the module the command was built from, or of its last commit.
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "unknown"
	}
	return versionOf(info)
}

func versionOf(info *debug.BuildInfo) string {
	text := "development " + info.GoVersion
	if v := info.Main.Version; v != "" && v != "(devel)" {
		return v + " " + info.GoVersion + emulator(info)
	}
	for _, s := range info.Settings {
		switch {
		case s.Key == "vcs.revision":
			text += " " + s.Value
		case s.Key == "vcs.modified" && s.Value == "true":
			text += " with changes"
		}
	}
	return text + emulator(info)
}

// emulator says which Mangrove is part of a command of somebody else.
func emulator(info *debug.BuildInfo) string {
	for _, module := range info.Deps {
		if module.Path == "github.com/mangrove-emu/mangrove" {
			return ", mangrove " + module.Version
		}
	}
	return ""
}
