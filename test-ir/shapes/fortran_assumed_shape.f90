! 47. Fortran: arrays of assumed shape, whole and every other element
! FLAGS: -ffp-contract=off
module kernels
contains
  subroutine kernel(c, a, b)
    double precision, intent(inout) :: c(:, :)
    double precision, intent(in) :: a(:, :), b(:, :)
    integer :: i, j, k
    do i = 1, size(c, 1)
      do j = 1, size(c, 2)
        do k = 1, size(a, 2)
          c(i, j) = c(i, j) + a(i, k) * b(k, j)
        end do
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
    call kernel(c, a, b)
    call kernel(c(1::2, :), a(1::2, :), b)
    call kernel(c(:, 1::3), a, b(:, 1::3))
    write (*, '(Z16)') c
    deallocate (c, a, b)
  end do
end program
