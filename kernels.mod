!mod$ v1 sum:b3372f87c680c7a6
module kernels
contains
subroutine syr2k(upper,n,k,alpha,a,lda,b,ldb,beta,c,ldc,info)
logical(4),intent(in)::upper
integer(4),intent(in)::n
integer(4),intent(in)::k
real(8),intent(in)::alpha
integer(4),intent(in)::lda
real(8),intent(in)::a(1_8:int(lda,kind=8),1_8:*)
integer(4),intent(in)::ldb
real(8),intent(in)::b(1_8:int(ldb,kind=8),1_8:*)
real(8),intent(in)::beta
integer(4),intent(in)::ldc
real(8),intent(inout)::c(1_8:int(ldc,kind=8),1_8:*)
integer(4),intent(out)::info
end
end
