#!/bin/sh
# Installs the libraries that cryptogauge measures beyond Go's, where this user may:
# as root, or by a sudo that does not ask. What stays missing is said, with what
# would help. With CI set a missing library is a failure.
set -u
missing=
for package in libssl3 libbotan-2-19 libgcrypt20; do
	dpkg -s "$package" >/dev/null 2>&1 || missing="$missing $package"
done
[ -n "$missing" ] || exit 0

as=
if [ "$(id -u)" != 0 ]; then as="sudo -n"; fi
if command -v apt-get >/dev/null 2>&1 && { [ -z "$as" ] || $as true 2>/dev/null; }; then
	echo "installing$missing" >&2
	# The index may be missing or stale: it is asked for where the packages aren't found.
	# shellcheck disable=SC2086
	$as env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $missing >/dev/null 2>&1 ||
		{ $as apt-get update -qq >/dev/null 2>&1 &&
			$as env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $missing >/dev/null 2>&1; }
fi

still=
for package in $missing; do
	dpkg -s "$package" >/dev/null 2>&1 || still="$still $package"
done
[ -n "$still" ] || exit 0
echo "not installed:$still. Their rows will be unsupported; on Debian: apt-get install$still" >&2
[ -z "${CI:-}" ]
