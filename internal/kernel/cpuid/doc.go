// Package cpuid reads what amd64 processors say of themselves, for features that golang.org/x/sys/cpu doesn't report.
// Names and places are those of Intel's manual, volume 2, CPUID.
package cpuid
