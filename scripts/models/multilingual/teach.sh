#!/usr/bin/env bash
# usage: teach.sh e5-small-q4.bin FORMER OUT
#
# Teaches a model as the README says the one that comes with Cairn was: three checkpoints of one line, and their mean in OUT/mean.pt.
# FORMER holds the folders e5-small-v2 and minilm-notes-v1 of an earlier release. Two runs at a time, one thread each.
set -euo pipefail
package=$1 former=$2 out=$3
here=$(dirname "$0")
export OMP_NUM_THREADS=1
mkdir -p "$out"

teach() { # NAME SEED ARGUMENTS...
  local name=$1 seed=$2
  shift 2
  python3 "$here/teach.py" "$package" "$out/$name" --seed "$seed" "$@" \
    --teachers "$former/e5-small-v2:=query: :=passage: " "$former/minilm-notes-v1"
}

both() { # NAME ARGUMENTS...: two runs and their mean
  local name=$1 first second
  shift
  teach "$name-1" 11 "$@" &
  first=$!
  teach "$name-2" 12 "$@" &
  second=$!
  wait "$first"
  wait "$second"
  python3 "$here/average.py" "$out/$name.pt" "$out/$name-1/reader.pt" "$out/$name-2/reader.pt"
}

# What the teachers say is kept beside the package, for all runs.
teach none 11 --steps 0
both first --steps 400
both second --steps 250 --start "$out/first.pt"
both third --steps 360 --kept-layers 6 --start "$out/second.pt"
python3 "$here/average.py" "$out/mean.pt" "$out/first.pt" "$out/second.pt" "$out/third.pt"
