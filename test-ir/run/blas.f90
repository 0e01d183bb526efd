! Updates of symmetric matrices as the reference BLAS writes them: sizes are looked at first, nothing is done for some of them, and LLVM makes a case of its own
! where the inner size is 0. What runs in that case only may assume nothing, but what the rest assumes holds there too.
! REQUIRES: flang, x86_64, x86-64-v3
! RUN: %flang -O3 -march=x86-64-v3 %s -o %t.plain
! RUN: %flang -O3 -march=x86-64-v3 -fpass-plugin=%plugin -Rpass=loopwright %s -o %t.auto 2> %t.remarks
! RUN: %flang -O3 -march=x86-64-v3 -fpass-plugin=%plugin -mllvm -loopwright-policy=kernels %s -o %t.kernels
! RUN: %t.plain > %t.expected
! RUN: %t.auto | diff %t.expected -
! RUN: %t.kernels | diff %t.expected -
! RUN: %FileCheck %s < %t.remarks

! CHECK: blas.f90:[[#@LINE+26]]:{{.*}} register tile
subroutine syr2k(upper, n, k, alpha, a, lda, b, ldb, beta, c, ldc, info)
  implicit none
  logical, intent(in) :: upper
  integer, intent(in) :: n, k, lda, ldb, ldc
  integer, intent(out) :: info
  double precision, intent(in) :: alpha, beta, a(lda, *), b(ldb, *)
  double precision, intent(inout) :: c(ldc, *)
  double precision :: x, y
  integer :: i, j, l
  info = 0
  if (n < 0) then
    info = 1
  else if (k < 0) then
    info = 2
  else if (lda < max(1, k)) then
    info = 3
  else if (ldb < max(1, k)) then
    info = 4
  else if (ldc < max(1, n)) then
    info = 5
  end if
  if (info /= 0) return
  if (n == 0 .or. ((alpha == 0 .or. k == 0) .and. beta == 1)) return
  if (upper) then
    do j = 1, n
      do i = 1, j
        x = 0
        y = 0
        do l = 1, k
          x = x + a(l, i) * b(l, j)
          y = y + b(l, i) * a(l, j)
        end do
        if (beta == 0) then
          c(i, j) = alpha * x + alpha * y
        else
          c(i, j) = beta * c(i, j) + alpha * x + alpha * y
        end if
      end do
    end do
  else
    do j = 1, n
      do i = j, n
        x = 0
        y = 0
        do l = 1, k
          x = x + a(l, i) * b(l, j)
          y = y + b(l, i) * a(l, j)
        end do
        if (beta == 0) then
          c(i, j) = alpha * x + alpha * y
        else
          c(i, j) = beta * c(i, j) + alpha * x + alpha * y
        end if
      end do
    end do
  end if
end subroutine

program main
  implicit none
  integer, parameter :: ns(9) = [-1, 0, 1, 2, 5, 16, 33, 70, 131], ks(7) = [-1, 0, 1, 3, 8, 40, 130]
  double precision, parameter :: betas(3) = [0d0, 1d0, 0.5d0]
  double precision :: c(140, 140), a(140, 140), b(140, 140)
  integer :: n, k, s, i, info
  a = reshape([(0.37d0 * mod(i * 11, 64) - 9.1d0, i=1, size(a))], shape(a))
  b = reshape([(0.21d0 * mod(i * 13, 64) - 7.3d0, i=1, size(b))], shape(b))
  do n = 1, 9
    do k = 1, 7
      do s = 1, 3
        c = reshape([(0.73d0 * mod(i * 7, 64) + 0.1d0, i=1, size(c))], shape(c))
        call syr2k(mod(s, 2) == 0, ns(n), ks(k), 1.5d0, a, 140, b, 140, betas(s), c, 140, info)
        write (*, '(I3, Z18)') info, checksum(c)
        call syr2k(mod(s, 2) == 1, ns(n), ks(k), 1.5d0, a, max(ks(k), 1), b, 139, betas(s), c, 138, info)
        write (*, '(I3, Z18)') info, checksum(c)
      end do
    end do
  end do
contains
  function checksum(c) result(sum)
    double precision, intent(in) :: c(:, :)
    integer(8) :: sum
    integer :: i, j
    sum = 0
    do j = 1, size(c, 2)
      do i = 1, size(c, 1)
        sum = ieor(ishftc(sum, 7), transfer(c(i, j), sum))
      end do
    end do
  end function
end program
