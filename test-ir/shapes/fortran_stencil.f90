! 49. Fortran: a stencil
! FLAGS: -ffp-contract=off
module kernels
contains
  subroutine kernel(n, m, c, b)
    integer, intent(in) :: n, m
    double precision, intent(inout) :: c(n, m)
    double precision, intent(in) :: b(n, m)
    integer :: i, j
    do i = 2, n - 1
      do j = 2, m - 1
        c(i, j) = 0.25d0 * (b(i - 1, j) + b(i + 1, j) + b(i, j - 1) + b(i, j + 1))
      end do
    end do
  end subroutine
end module

program shape
  use kernels
  implicit none
  integer, parameter :: sizes(2, 8) = reshape([0, 0, 0, 4, 1, 1, 1, 6, 5, 0, 2, 3, 16, 16, 19, 33], [2, 8])
  double precision, allocatable :: c(:, :), a(:, :), b(:, :)
  integer :: s, i
  do s = 1, 8
    allocate (c(sizes(1, s), sizes(2, s)), a(sizes(1, s), sizes(1, s)), b(sizes(1, s), sizes(2, s)))
    c = reshape([(0.37d0 * mod(i * 7, 64) + 0.1d0, i=1, size(c))], shape(c))
    a = reshape([(0.37d0 * mod(i * 11, 64) + 0.1d0, i=1, size(a))], shape(a))
    b = reshape([(0.37d0 * mod(i * 13, 64) + 0.1d0, i=1, size(b))], shape(b))
    call kernel(sizes(1, s), sizes(2, s), c, b)
    write (*, '(Z16)') c
    deallocate (c, a, b)
  end do
end program
