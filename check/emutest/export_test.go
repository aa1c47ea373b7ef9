package emutest

// SetPackageFolder says where tests keep what they find, and returns where they did.
func SetPackageFolder(folder string) (before string) {
	before, packageFolder = packageFolder, folder
	return before
}

// Excludes says what of a schedule a test never does.
var Excludes = Test.excludes
