oclBandwidthTest on whatever OpenCL there is, which on a machine without devices is PoCL: every kind of memory and access has
a figure, and the data arrives.

  $ export WIRESPEED_CUDA_LIB=/nonexistent
  $ wirespeed machine --backend opencl 2>/dev/null | grep -q '^  opencl *open' || . skip "no OpenCL device here"
  $ figures() { sed -n 's/^oclBandwidthTest-\(.*\), Bandwidth = \([0-9.]*\) MB.*, Size = \([0-9]*\) .*/\1 \3 \2/p' out | awk '{ print $1, $2, ($3 > 0 ? "a figure" : "none") }'; tail -2 out | head -1; }
  $ for memory in pageable pinned; do for access in direct mapped; do
  >   wirespeed as oclBandwidthTest --noprompt --csv --mode=range --start=4099 --end=4194304 --increment=4190205 --memory=$memory --access=$access >out 2>err || cat err
  >   figures
  > done; done
  H2D-Paged-Direct 4099 a figure
  H2D-Paged-Direct 4194304 a figure
  D2H-Paged-Direct 4099 a figure
  D2H-Paged-Direct 4194304 a figure
  D2D 4099 a figure
  D2D 4194304 a figure
  PASSED
  H2D-Paged-Mapped 4099 a figure
  H2D-Paged-Mapped 4194304 a figure
  D2H-Paged-Mapped 4099 a figure
  D2H-Paged-Mapped 4194304 a figure
  D2D 4099 a figure
  D2D 4194304 a figure
  PASSED
  H2D-Pinned-Direct 4099 a figure
  H2D-Pinned-Direct 4194304 a figure
  D2H-Pinned-Direct 4099 a figure
  D2H-Pinned-Direct 4194304 a figure
  D2D 4099 a figure
  D2D 4194304 a figure
  PASSED
  H2D-Pinned-Mapped 4099 a figure
  H2D-Pinned-Mapped 4194304 a figure
  D2H-Pinned-Mapped 4099 a figure
  D2H-Pinned-Mapped 4194304 a figure
  D2D 4099 a figure
  D2D 4194304 a figure
  PASSED
  $ cat err
