#!/bin/bash
# Makes a manifest of files, trees or objects by a job array, and merges its parts when all are done:
#
#   deploy/slurm/hash.sh SHARDS MANIFEST FILE...
#   deploy/slurm/hash.sh 16 /scratch/data.sha256 /data
#
# A job that is lost is queued again by Slurm, and goes on from the part that it left. Where one fails for good, the
# merge is not started: mend it, run the same command again, and only what is missing is read.
set -euo pipefail

[[ $# -ge 3 && $1 =~ ^[1-9][0-9]*$ ]] || { echo "usage: $0 SHARDS MANIFEST FILE..." >&2; exit 2; }
here=$(dirname "$(readlink -f "$0")")
shards=$1 manifest=$(readlink -m "$2")
shift 2
array=$(sbatch --parsable --array="0-$((shards - 1))" "$here/hash.sbatch" "$manifest" "$@")
merge=$(sbatch --parsable --dependency="afterok:$array" --kill-on-invalid-dep=yes "$here/merge.sbatch" "$manifest" "$shards")
echo "shards are job $array, the merge into $manifest is job $merge"
