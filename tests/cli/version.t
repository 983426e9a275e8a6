The version, as packages and bug reports need it:

  $ wirespeed --version
  wirespeed 0.1.0
