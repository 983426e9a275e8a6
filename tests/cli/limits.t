Every figure has a limit, or the reason why none is known.

  $ echo 'read host0 by host0.cpu 1M x1' >plan
  $ wirespeed --plan plan --samples 1 | grep '^limit'
  limit: not known (the memory of host0 does not tell its speed)
  $ wirespeed --plan plan --samples 1 --format json | grep -c '"reason": "the memory of host0 does not tell its speed"'
  1
